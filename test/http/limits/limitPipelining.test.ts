import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { limitPipelining } from '../../../src/http/limits/limitPipelining.ts'
import { openMonitoringListener } from '../../../src/http/monitoring/monitoringListener.ts'
import { testApp } from '../../support/app.ts'
import { exchange, opened } from '../../support/http/rawSocket.ts'

const patience = { timeout: 20_000 }
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

async function serving(handle: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(limitPipelining(handle))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, server }
}

/** A connection that reads nothing and sends `what` as far as the server accepts it. */
async function unread(port: number, what: string): Promise<{ socket: Socket; isClosed(): boolean }> {
  const socket = await opened(port)
  onTestFinished(() => void socket.destroy())
  let closed = false
  socket.once('close', () => (closed = true))
  socket.pause()
  socket.write(what)
  return { socket, isClosed: () => closed }
}

test('32 pipelined requests are answered in order, each started after the previous response', async () => {
  let open = 0
  const seen: number[] = []
  const { port } = await serving((request, response) => {
    seen.push(++open)
    setImmediate(() => {
      open -= 1
      response.end(request.url)
    })
  })
  const paths = Array.from({ length: 32 }, (_, n) => `/${n}`)
  const { answers } = await exchange(port, paths.map(get).join(''), { answersWanted: 32 })
  expect(answers.map(({ text }) => text)).toEqual(paths)
  expect(Math.max(...seen)).toBe(1)
})

test('bodies of pipelined requests arrive with their own request', async () => {
  const { port } = await serving(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end(`${Buffer.concat(chunks).length}`)
  })
  const sizes = Array.from({ length: 40 }, (_, n) => n * 5000)
  const posts = sizes.map((size) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`)
  const { answers } = await exchange(port, posts.join(''), { answersWanted: sizes.length })
  expect(answers.map(({ text }) => Number(text))).toEqual(sizes)
})

test('a connection with 32 unanswered requests is not read until one is answered', async () => {
  const parsed: string[] = []
  let answer = (): void => undefined
  const { port, server } = await serving(({ url }, response) => {
    if (url === '/other') response.end('.')
    else answer = () => response.end('.')
  })
  server.prependListener('request', ({ url = '' }) => url !== '/other' && parsed.push(url))
  const socket = await opened(port)
  onTestFinished(() => void socket.destroy())
  socket.write(Array.from({ length: 32 }, (_, n) => get(`/${n}`)).join(''))
  await vi.waitFor(() => expect(parsed).toHaveLength(32))
  socket.write(get('/33').repeat(50))
  // Once other requests are answered, the server could have read more.
  await exchange(port, get('/other').repeat(5), { answersWanted: 5 })
  expect(parsed).toHaveLength(32)
  answer()
  await vi.waitFor(() => expect(parsed.length).toBeGreaterThan(32))
})

test('a connection with many unanswered requests in one read is closed, after starting one and parsing few', async () => {
  let started = 0
  let parsed = 0
  const { port, server } = await serving(() => (started += 1))
  server.prependListener('request', () => (parsed += 1))
  const { isClosed } = await unread(port, get('/').repeat(2000))
  await vi.waitFor(() => expect(isClosed()).toBe(true), patience)
  expect(started).toBe(1)
  expect(parsed).toBeLessThan(100)
})

test('requests after a response that closes the connection are not started', async () => {
  const started: string[] = []
  const { port } = await serving(({ url }, response) => {
    started.push(url ?? '')
    response.setHeader('Connection', 'close').end('.')
  })
  const { answers, closed } = await exchange(port, get('/1') + get('/2'), { answersWanted: 2 })
  expect({ answers: answers.length, closed, started }).toEqual({ answers: 1, closed: true, started: ['/1'] })
})

test('without a reader, only the first response is created', async () => {
  const content = Buffer.alloc(32_000_000)
  const started: string[] = []
  const { port } = await serving(({ url }, response) => {
    started.push(url ?? '')
    response.end(url === '/large' ? content : '.')
  })
  const { isClosed } = await unread(port, get('/large').repeat(30))
  await vi.waitFor(() => expect(started).toEqual(['/large']))
  // Other clients are still served.
  await exchange(port, get('/small').repeat(30), { answersWanted: 30 })
  expect({ large: started.filter((path) => path === '/large').length, closed: isClosed() }).toEqual({ large: 1, closed: false })
})

const app = await testApp()
afterAll(app.close)

test.each(['/healthz', '/docs', '/api/v1/openapi.json', '/integrations', '/no/such/path', '/r/x'])(
  'the service keeps working while requests for %s pile up on one connection',
  async (path) => {
    const { isClosed } = await unread(app.port, get(path).repeat(20_000))
    await vi.waitFor(() => expect(isClosed()).toBe(true), patience)
    expect((await exchange(app.port, get('/healthz'))).answers).toMatchObject([{ status: 200 }])
  },
)

test('the monitoring listener closes such a connection too', async () => {
  const { metrics, log } = { metrics: { render: async () => ({ contentType: 'text/plain', text: 'x'.repeat(100_000) }) }, log: console }
  const readiness = async () => ({ ready: true, faults: [] })
  const watch = await openMonitoringListener({ host: '127.0.0.1', port: 0, metrics: metrics as never, readiness, log })
  onTestFinished(() => watch.close())
  const { isClosed } = await unread(watch.port, get('/metrics').repeat(20_000))
  await vi.waitFor(() => expect(isClosed()).toBe(true), patience)
  expect((await exchange(watch.port, get('/healthz'))).answers).toMatchObject([{ status: 200 }])
})
