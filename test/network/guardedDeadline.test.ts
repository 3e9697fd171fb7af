import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { checkUrl } from '../../src/network/checkUrl.ts'
import { guardedFetch } from '../../src/network/guardedFetch.ts'
import { failureOf, fetchText, fileLink, webhook } from './guardedRequests.ts'
import { answerWith, startRawServer } from './rawServer.ts'

test('a silent name server takes no longer than the deadline', async () => {
  const request = { ...fileLink, url: 'http://files.test/', deadlineSeconds: 0.05, resolve: () => new Promise<string[]>(() => {}) }

  expect(await failureOf(guardedFetch(request))).toMatchObject({ kind: 'timeout', message: 'name not resolved within 0.05 s' })
})

test('a receiver that accepts the request and never answers fails at the deadline', async () => {
  const server = await startRawServer(() => undefined)

  const failure = await failureOf(guardedFetch({ ...webhook, url: server.url, deadlineSeconds: 0.4 }))

  expect(failure).toMatchObject({ kind: 'timeout', message: 'no answer within 0.4 s' })
  await Promise.all(server.closedConnections)
})

test('a hung TLS handshake fails at the deadline and its connection is closed', async () => {
  const server = await startRawServer(() => undefined)

  const failure = await failureOf(guardedFetch({ ...webhook, url: server.url.replace('http:', 'https:'), deadlineSeconds: 0.4 }))

  expect(failure).toMatchObject({ kind: 'timeout', message: 'TLS handshake not complete within 0.4 s' })
  expect(server.connections).toBe(1)
  await Promise.all(server.closedConnections)
})

test.each([
  ['headers', 'HTTP/1.1 200 OK\r\n', 'x-slow: ', 'no answer within 0.4 s'],
  ['body', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', '', 'answer not complete within 0.4 s'],
])('%s that arrive slowly fail at the total deadline', async (_what, start, drip, message) => {
  const server = await startRawServer(({ socket }) => {
    socket.write(start + drip)
    const timer = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(timer))
    return undefined
  })

  expect(await failureOf(fetchText({ ...fileLink, url: server.url, deadlineSeconds: 0.4 }))).toMatchObject({ kind: 'timeout', message })
  await Promise.all(server.closedConnections)
})

test('redirects share one deadline', async () => {
  const server = await startRawServer(({ path, socket }) => {
    setTimeout(() => socket.write(path === '/3' ? answerWith(200) : answerWith(302, { location: `/${Number(path.slice(1)) + 1}` })), 50)
    return undefined
  })

  expect(await failureOf(fetchText({ ...fileLink, url: `${server.url}/0`, deadlineSeconds: 0.12 }))).toMatchObject({ kind: 'timeout' })
})

test('an abort before the start makes no look-up and no connection', async () => {
  const server = await startRawServer(() => answerWith(200), { everywhere: true })
  const reason = new Error('shutting down')
  let lookUps = 0
  const resolve = async () => {
    lookUps += 1
    return ['127.0.0.1']
  }

  const request = { ...fileLink, url: `http://files.test:${server.port}/`, resolve, signal: AbortSignal.abort(reason) }

  expect(await failureOf(guardedFetch(request))).toMatchObject({ kind: 'aborted', cause: reason })
  expect(await failureOf(checkUrl(request.url, request))).toMatchObject({ kind: 'aborted' })
  expect(lookUps).toBe(0)
  expect(server.connections).toBe(0)
})

test('an abort before the response ends the request and its connection', async () => {
  const stop = new AbortController()
  const server = await startRawServer(() => {
    stop.abort()
    return undefined
  })

  expect(await failureOf(guardedFetch({ ...fileLink, url: server.url, signal: stop.signal }))).toMatchObject({ kind: 'aborted' })
  await Promise.all(server.closedConnections)
})

test('an abort while the body is read fails the body and ends the connection', async () => {
  const stop = new AbortController()
  const server = await startRawServer(() => 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nsome')

  const answer = await guardedFetch({ ...fileLink, url: server.url, signal: stop.signal })
  const reading = answer.body.toArray()
  stop.abort()

  expect(await failureOf(reading)).toMatchObject({ kind: 'aborted' })
  await Promise.all(server.closedConnections)
})

test('every ended request removes its listener from the signal of its caller', async () => {
  const { signal } = new AbortController()
  const server = await startRawServer(({ path }) => answerWith(Number(path.slice(1)), {}, 'done'))
  const request = { ...fileLink, signal }

  await fetchText({ ...request, url: `${server.url}/200` })
  await failureOf(guardedFetch({ ...request, url: `${server.url}/500` }))
  await failureOf(guardedFetch({ ...request, url: 'http://10.0.0.1/' }))
  await failureOf(checkUrl('http://10.0.0.1/', request))
  const unread = await guardedFetch({ ...request, url: `${server.url}/200` })
  unread.body.destroy()

  expect(getEventListeners(signal, 'abort')).toEqual([])
})
