import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { opened } from '../support/rawSocket.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ timeouts: { headersMs: 1000, requestMs: 600_000, stallMs: 30_000, silenceMs: 1500, lookMs: 50 } })
})
afterAll(() => app.close())

const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const connections = () => new Promise<number>((resolve) => app.fastify.server.getConnections((_, count) => resolve(count)))

/** Asks for more than the system keeps of answers for somebody who does not read them. */
async function unread(): Promise<Socket> {
  const socket = await opened(app.port)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(health.repeat(60_000))
  return socket
}

test('a connection whose answers nobody reads is given up', async () => {
  await unread()
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 })
})

test('neither does it stay for whoever goes on sending', async () => {
  const socket = await unread()
  const drip = setInterval(() => socket.write('G'), 100)
  onTestFinished(() => clearInterval(drip))
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 })
})
