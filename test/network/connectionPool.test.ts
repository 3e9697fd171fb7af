import { expect, onTestFinished, test } from 'vitest'
import { parseCidrs } from '../../src/network/addresses.ts'
import { type ConnectionPool, makeConnectionPool } from '../../src/network/connectionPool.ts'
import { type GuardedRequest, guardedFetch } from '../../src/network/guardedFetch.ts'
import { failureOf, fetchText, webhook } from './guardedRequests.ts'
import { answerWith, startRawServer } from './rawServer.ts'

function connectionsOfTest(options: { max?: number; idleMilliseconds?: number } = {}): ConnectionPool {
  const connections = makeConnectionPool({ max: 10, idleMilliseconds: 60_000, ...options })
  onTestFinished(() => connections.close())
  return connections
}

test('sequential requests use one connection, each with its own response', async () => {
  const server = await startRawServer(() => answerWith(200, {}, `answer ${server.requests.length}`))
  const request = { ...webhook, url: server.url, connections: connectionsOfTest() }
  for (const count of [1, 2, 3]) expect((await fetchText(request)).text).toBe(`answer ${count}`)
  expect(server.connections).toBe(1)
})

test('without a pool, each request has its own connection', async () => {
  const server = await startRawServer(() => answerWith(200))
  for (let count = 0; count < 2; count += 1) await fetchText({ ...webhook, url: server.url })
  expect(server.connections).toBe(2)
})

test('a pooled connection is not reused when the name resolves to another address', async () => {
  const server = await startRawServer(() => answerWith(200), { everywhere: true })
  const connections = connectionsOfTest()
  const to = (address: string): GuardedRequest => ({
    ...webhook,
    url: `http://receiver.test:${server.port}/`,
    connections,
    allowedPrivate: parseCidrs('127.0.0.0/8'),
    resolve: async () => [address],
  })
  await fetchText(to('127.0.0.1'))
  await fetchText(to('127.0.0.2'))
  expect(server.connections).toBe(2)
  await fetchText(to('127.0.0.1'))
  expect(server.connections).toBe(2)
})

test('a pooled connection is not reused when the name has become private', async () => {
  const server = await startRawServer(() => answerWith(200))
  const request = { ...webhook, url: `http://receiver.test:${server.port}/`, connections: connectionsOfTest() }
  await fetchText({ ...request, resolve: async () => ['127.0.0.1'] })
  const failure = await failureOf(fetchText({ ...request, resolve: async () => ['10.0.0.1'] }))
  expect(failure.message).toBe('address is private now')
  expect(server.requests).toHaveLength(1)
})

test('a pooled connection that the peer has closed is replaced, and the request arrives once', async () => {
  const server = await startRawServer(() => answerWith(200))
  const request = { ...webhook, url: server.url, connections: connectionsOfTest() }
  await fetchText(request)
  server.cut()
  await Promise.all(server.closedConnections)
  expect((await fetchText(request)).answer.status).toBe(200)
  expect([server.connections, server.requests.length]).toEqual([2, 2])
})

test('a pooled connection that closes without a byte of a response is replaced by a new one', async () => {
  let count = 0
  const server = await startRawServer(({ socket }) => {
    count += 1
    if (count !== 2) return answerWith(200)
    socket.destroy()
    return undefined
  })
  const request = { ...webhook, url: server.url, connections: connectionsOfTest() }
  await fetchText(request)
  expect((await fetchText(request)).answer.status).toBe(200)
  expect([server.connections, server.requests.length]).toEqual([2, 3])
})

test.each([
  ['is cut short', () => `${answerWith(200, { 'content-length': '10' }, 'half')}`],
  ['says that the connection ends', () => answerWith(200, { connection: 'close' }, 'whole')],
])('a connection is not reused after a response that %s', async (_what, answer) => {
  const server = await startRawServer(({ socket }) => {
    socket.end(answer())
    return undefined
  })
  const request = { ...webhook, url: server.url, connections: connectionsOfTest() }
  await fetchText(request).catch(() => undefined)
  await fetchText(request).catch(() => undefined)
  expect(server.connections).toBe(2)
})

test('a response that is not read to its end closes its connection', async () => {
  const server = await startRawServer(() => answerWith(200, {}, 'x'.repeat(100_000)))
  const connections = connectionsOfTest()
  const answer = await guardedFetch({ ...webhook, url: server.url, connections })
  answer.body.destroy()
  await server.closedConnections[0]
  await fetchText({ ...webhook, url: server.url, connections })
  expect(server.connections).toBe(2)
})

test('connections that are idle too long, over the limit, or open at the end are closed', async () => {
  const server = await startRawServer(() => answerWith(200))
  await fetchText({ ...webhook, url: server.url, connections: connectionsOfTest({ idleMilliseconds: 1 }) })
  await server.closedConnections[0]
  await fetchText({ ...webhook, url: server.url, connections: connectionsOfTest({ max: 0 }) })
  await server.closedConnections[1]
  const connections = connectionsOfTest()
  await fetchText({ ...webhook, url: server.url, connections })
  connections.close()
  await server.closedConnections[2]
  expect(server.connections).toBe(3)
})
