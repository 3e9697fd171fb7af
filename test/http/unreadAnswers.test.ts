import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { opened } from '../support/http/rawSocket.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ timeouts: { headersMs: 1000, requestMs: 600_000, stallMs: 30_000, silenceMs: 500, checkIntervalMs: 50 } })
})
afterAll(() => app.close())

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const connections = () => new Promise<number>((resolve) => app.fastify.server.getConnections((_, count) => resolve(count)))

/** Requests more than the system buffers for a client that does not read. */
async function unread(requests: string): Promise<Socket> {
  const socket = await opened(app.port)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(requests)
  return socket
}

// Few large ones are enough, so that the rest is still read.
const unreadable = [
  ['many small answers', get('/healthz').repeat(60_000)],
  ['a few large answers', get('/docs/viewer.js').repeat(4)],
] as const

test.each(unreadable)('a connection with %s that are not read is closed', async (_what, requests) => {
  await unread(requests)
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 })
})

test.each(unreadable)('a connection with %s that are not read is closed, also while the client keeps sending', async (_what, requests) => {
  const socket = await unread(requests)
  const drip = setInterval(() => socket.write('G'), 100)
  onTestFinished(() => clearInterval(drip))
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 })
})
