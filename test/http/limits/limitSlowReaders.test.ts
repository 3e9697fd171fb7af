import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limitSlowReaders } from '../../../src/http/limits/limitSlowReaders.ts'
import { defaultTimeouts, listener } from '../../../src/http/listener.ts'
import { opened } from '../../support/http/rawSocket.ts'

const megabyte = 1_000_000
const unlimited = { bytesPerSecondMin: 1, windowMs: 60_000, unsentPerClient: 1e12, unsentTotal: 1e12, checkIntervalMs: 20 }

type Serving = { port: number; origin: string; closed: string[] }

async function serving(limits: Partial<typeof unlimited>): Promise<Serving> {
  const closed: string[] = []
  const readers = limitSlowReaders({ ...unlimited, ...limits }, ({ headers }) => String(headers['x-client']))
  const app = listener(defaultTimeouts, {})
  app.addHook('onRequest', (request, reply, done) => {
    readers.watch(request, reply)
    reply.raw.once('close', () => reply.raw.writableFinished || closed.push(String(request.headers['x-client'])))
    done()
  })
  app.get('/large', async (_request, reply) => reply.send(Readable.from(pieces(), { objectMode: false, highWaterMark: 65_536 })))
  app.get('/small', async () => '.')
  app.get('/wait', async () => pause(50, '.'))
  app.get('/', async (_request, reply) => reply.send(Buffer.alloc(16 * megabyte)))
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    readers.stop()
    await app.close()
  })
  return { port: Number(new URL(app.listeningOrigin).port), origin: app.listeningOrigin, closed }
}

function* pieces(): Iterable<Buffer> {
  for (let n = 0; n < 256; n += 1) yield Buffer.alloc(65_536)
}

/** Reads a response chunk by chunk; `whole` unless it was cut off. */
function read({ origin }: Serving, path: string, pauseMs: number): Promise<'whole' | 'cut off'> {
  return new Promise((resolve) => {
    const asking = get(`${origin}${path}`, { headers: { 'x-client': 'reader' } }, async (answer: IncomingMessage) => {
      try {
        for await (const _chunk of answer) await pause(pauseMs)
        resolve('whole')
      } catch {
        resolve('cut off')
      }
    })
    asking.on('error', () => resolve('cut off'))
  })
}

async function unread({ port }: Serving, client: string, paths = ['/']): Promise<void> {
  const socket = await opened(port)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Client: ${client}\r\n\r\n`).join(''))
}

test.each(['/large', '/'])('a client that reads %s below the least rate is cut off, although it never stops', async (path) => {
  const app = await serving({ bytesPerSecondMin: 1000 * megabyte, windowMs: 200 })
  expect(await read(app, path, 20)).toBe('cut off')
})

test.each(['/large', '/'])('a client that reads %s above the least rate gets all of it, however long it takes', async (path) => {
  const app = await serving({ bytesPerSecondMin: 1024, windowMs: 200 })
  const begunAt = performance.now()
  expect(await read(app, path, 2)).toBe('whole')
  expect(performance.now() - begunAt).toBeGreaterThan(200)
})

test('a wait without bytes to send has no limit', async () => {
  const app = await serving({ bytesPerSecondMin: 1000 * megabyte, windowMs: 10 })
  expect(await read(app, '/wait', 0)).toBe('whole')
})

test('when one client has too many unsent bytes, its slowest connections are closed until it is under the limit', async () => {
  const app = await serving({ unsentPerClient: 50 * megabyte })
  await unread(app, 'modest')
  for (let n = 0; n < 5; n += 1) await unread(app, 'greedy')
  await vi.waitFor(() => expect(app.closed).toEqual(['greedy', 'greedy']))
})

test('responses to pipelined requests count like others', async () => {
  const app = await serving({ unsentPerClient: 50 * megabyte })
  for (let n = 0; n < 5; n += 1) await unread(app, 'greedy', ['/small', '/'])
  await vi.waitFor(() => expect(app.closed).toEqual(['greedy', 'greedy']))
})

test('when all clients have too many unsent bytes, the slowest connections of the client with the most are closed', async () => {
  const app = await serving({ unsentTotal: 70 * megabyte })
  await unread(app, 'modest')
  for (let n = 0; n < 3; n += 1) await unread(app, 'greedy')
  await unread(app, 'second')
  await vi.waitFor(() => expect(app.closed).toEqual(['greedy']))
  await unread(app, 'second')
  await vi.waitFor(() => expect(app.closed).toHaveLength(2))
  expect(app.closed).not.toContain('modest')
})
