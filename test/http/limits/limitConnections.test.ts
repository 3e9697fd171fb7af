import type { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type TestApp, type TestAppOptions, testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { exchange, opened } from '../../support/http/rawSocket.ts'

async function anApp(
  total: number,
  idlePerClient: number,
  { idleTotal = total, ...options }: TestAppOptions & { idleTotal?: number } = {},
): Promise<TestApp> {
  const app = await testApp({ ...options, connectionLimits: { total, idlePerClient, idleTotal } })
  onTestFinished(app.close)
  return app
}

type Slow = { socket: Socket; isClosed(): boolean }

/** A connection that has sent the start of a request, and whether it was closed. */
async function slow({ port }: TestApp, begun = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'): Promise<Slow> {
  const socket = await opened(port)
  onTestFinished(() => void socket.destroy())
  let closed = false
  socket.on('close', () => {
    closed = true
  })
  // Unread bytes would delay the end event.
  socket.resume()
  socket.write(begun)
  return { socket, isClosed: () => closed }
}

const health = 'GET /healthz HTTP/1.1\r\nHost: atelier.test\r\n\r\n'
const connectionsOf = (app: TestApp) => new Promise<number>((resolve) => app.fastify.server.getConnections((_, count) => resolve(count)))

test('one address keeps a limited number of connections without headers, the latest ones, and others are served', async () => {
  const app = await anApp(100, 5)
  const held: Slow[] = []
  for (let n = 0; n < 12; n++) held.push(await slow(app))
  await vi.waitFor(() => expect(held.map(({ isClosed }) => isClosed())).toEqual([...Array(7).fill(true), ...Array(5).fill(false)]))
  expect((await exchange(app.port, health)).answers).toMatchObject([{ status: 200 }])
})

test('all clients together keep a limited number of connections without headers, the latest ones', async () => {
  const app = await anApp(100, 100, { idleTotal: 5 })
  const held: Slow[] = []
  for (let n = 0; n < 12; n++) held.push(await slow(app))
  await vi.waitFor(() => expect(held.map(({ isClosed }) => isClosed())).toEqual([...Array(7).fill(true), ...Array(5).fill(false)]))
})

test('busy connections are closed too when too many of them become idle', async () => {
  const app = await anApp(100, 100, { idleTotal: 5 })
  const { value: key } = await aTeamWithKey(app.services)
  const begun = `Host: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`
  const held: Slow[] = []
  for (let n = 0; n < 12; n++) held.push(await slow(app, `POST /api/v1/generations/estimate HTTP/1.1\r\n${begun}`))
  for (const { socket } of held) socket.write('{}')
  await vi.waitFor(() => expect(held.filter(({ isClosed }) => !isClosed())).toHaveLength(5))
})

test('a connection with a request in progress is never closed for a new one', async () => {
  const app = await anApp(100, 2)
  const { value: key } = await aTeamWithKey(app.services)
  const started = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  const path = `/api/v1/generations/${started.body.generationId}?wait=1`
  const waiting = exchange(app.port, `GET ${path} HTTP/1.1\r\nHost: atelier.test\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(1))
  for (let n = 0; n < 10; n++) await slow(app)
  expect((await waiting).answers).toMatchObject([{ status: 200 }])
})

test('after its response, a connection counts as idle again', async () => {
  const app = await anApp(100, 2)
  const kept = await opened(app.port)
  const closed = new Promise((resolve) => kept.once('close', resolve))
  kept.write(health)
  await new Promise((resolve) => kept.once('data', resolve))
  for (let n = 0; n < 3; n++) await slow(app)
  await closed
})

test('a full listener closes an idle connection of any client for a new one', async () => {
  const app = await anApp(4, 100)
  const held: Slow[] = []
  for (let n = 0; n < 8; n++) held.push(await slow(app))
  await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(4))
  expect((await exchange(app.port, health)).answers).toMatchObject([{ status: 200 }])
})

test('a trusted proxy may use all connections of the listener', async () => {
  const app = await anApp(100, 2, { trustedProxies: '127.0.0.1' })
  const held: Slow[] = []
  for (let n = 0; n < 8; n++) held.push(await slow(app))
  expect((await exchange(app.port, health)).answers).toMatchObject([{ status: 200 }])
  expect(held.filter(({ isClosed }) => isClosed())).toEqual([])
})

test('connections without a complete request do not delay the close of the listener', async () => {
  const app = await testApp()
  const silent = await opened(app.port)
  onTestFinished(() => void silent.destroy())
  await slow(app)
  await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(2))
  const begunAt = performance.now()
  await app.close()
  expect(performance.now() - begunAt).toBeLessThan(5000)
})
