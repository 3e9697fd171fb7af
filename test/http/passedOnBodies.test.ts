import type { Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { bodyScheduler } from '../../src/transport/bodyScheduler.ts'
import { exchange, opened } from '../support/http/rawSocket.ts'
import { anInternalStub, aSide } from '../support/processes/splitProcesses.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

async function startPublicSide(anonymousInProgressMax?: number) {
  const { origin, asked } = await anInternalStub((response) => response.end('{}'))
  const side = await aSide(services, {
    serves: 'public',
    internalUrl: origin,
    trustedProxies: '127.0.0.1',
    ...(anonymousInProgressMax ? { anonymousInProgressMax } : {}),
  })
  return { ...side, asked }
}

const post = (address: string, length: string, body = '') =>
  `POST /graphql HTTP/1.1\r\nHost: media.test\r\nX-Forwarded-For: ${address}\r\n${length}\r\n\r\n${body}`
const largest = 'Content-Length: 262144'

/** Sends a POST and leaves its body unfinished. */
async function sendUnfinished(port: number, request: string): Promise<Socket> {
  const socket = await opened(port)
  onTestFinished(() => void socket.destroy())
  socket.write(request)
  return socket
}

async function statusOf(port: number, request: string): Promise<number | undefined> {
  return (await exchange(port, request, { patienceMs: 15_000 })).answers[0]?.status
}

test.each([
  ['of the largest size', largest, ''],
  ['of unknown size', 'Transfer-Encoding: chunked', '5\r\nbegun\r\n'],
])(
  'one client may have 64 unfinished bodies %s, and the next one is refused before its body is read',
  async (_what, length, firstChunk) => {
    const { port, asked } = await startPublicSide()
    const sockets: Socket[] = []
    for (let n = 0; n < 64; n += 1) sockets.push(await sendUnfinished(port, post('192.0.2.1', length, firstChunk)))
    const { answers } = await exchange(port, post('192.0.2.1', length), { patienceMs: 15_000 })
    expect(answers).toMatchObject([{ status: 429, headers: { 'retry-after': '1' } }])
    expect(JSON.parse(answers[0]?.text ?? '')).toMatchObject({ error: { code: 'too_many_concurrent', details: { limit: 64 } } })
    expect(await statusOf(port, post('192.0.2.2', 'Content-Length: 2', '{}'))).toBe(200)
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(async () => expect(await statusOf(port, post('192.0.2.1', 'Content-Length: 2', '{}'))).toBe(200))
    expect(asked.map(({ body }) => body)).toEqual(['{}', '{}'])
  },
)

test('the number of unfinished bodies of any size is limited per client', async () => {
  const { port } = await startPublicSide(4)
  for (let n = 0; n < 4; n += 1) await sendUnfinished(port, post('192.0.2.1', 'Content-Length: 2'))
  expect(await statusOf(port, post('192.0.2.1', 'Content-Length: 2', '{}'))).toBe(429)
  expect(await statusOf(port, post('192.0.2.2', 'Content-Length: 2', '{}'))).toBe(200)
})

test('proxied requests wait behind earlier work in the body scheduler, so that many of them do not block the event loop', async () => {
  const { port, asked } = await startPublicSide()
  let done = 0
  const work = async () => {
    await bodyScheduler.waitForSlice()
    for (const begunAt = performance.now(); performance.now() - begunAt < 10; );
    done += 1
  }
  const tasks = Array.from({ length: 60 }, work)
  const status = statusOf(port, post('192.0.2.1', 'Content-Length: 2', '{}'))
  await vi.waitFor(() => expect(asked).toHaveLength(1), { interval: 1, timeout: 20_000 })
  expect(done).toBe(tasks.length)
  expect(await status).toBe(200)
})
