import { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { parseCidrs } from '../../src/network/addresses.ts'
import { startDeadline } from '../../src/network/deadline.ts'
import { FetchFailure } from '../../src/network/fetchFailure.ts'
import { guardedFetch } from '../../src/network/guardedFetch.ts'
import { pinnedConnection } from '../../src/network/pinnedConnection.ts'
import { failureOf, fetchText, fileLink, webhook } from './guardedRequests.ts'
import { answerWith, startRawServer } from './rawServer.ts'
import { selfSignedCertificate } from './selfSignedCertificate.ts'

const toReceiver = { ...webhook, resolve: async () => ['127.0.0.1'] }
const year = (number: number) => new Date(Date.UTC(number, 0, 1))
const valid = selfSignedCertificate({ hostname: 'receiver.test', notBefore: year(2020), notAfter: year(2120) })
const expired = selfSignedCertificate({ hostname: 'receiver.test', notBefore: year(2020), notAfter: year(2021) })
const early = selfSignedCertificate({ hostname: 'receiver.test', notBefore: year(2110), notAfter: year(2120) })

test('TLS requests and checks the name of the URL, while the connection goes to the checked address', async () => {
  const names: (string | false | null)[] = []
  const server = await startRawServer(
    ({ socket }) => {
      names.push('servername' in socket ? (socket.servername as string) : null)
      return answerWith(200, {}, 'sealed')
    },
    { tls: valid },
  )
  const request = { ...toReceiver, trustedCertificates: valid.cert }

  expect((await fetchText({ ...request, url: `https://receiver.test:${server.port}/` })).text).toBe('sealed')
  expect((await fetchText({ ...request, url: `https://receiver.test.:${server.port}/` })).text).toBe('sealed')
  expect((await fetchText({ ...request, url: server.url })).text).toBe('sealed')
  expect(names).toEqual(['receiver.test', 'receiver.test', false])
})

test.each([
  ['has expired', expired, 'receiver.test', expired.cert, 'TLS certificate expired'],
  ['is not valid yet', early, 'receiver.test', early.cert, 'TLS certificate not yet valid'],
  ['is for another name', valid, 'other.test', valid.cert, 'TLS certificate is for another name'],
  ['is self-signed', valid, 'receiver.test', undefined, 'TLS certificate is self-signed'],
])('nothing is sent to a receiver whose certificate %s', async (_what, tls, hostname, trusted, message) => {
  const server = await startRawServer(() => answerWith(200), { tls })
  const trust = trusted === undefined ? {} : { trustedCertificates: trusted }

  const failure = await failureOf(guardedFetch({ ...toReceiver, ...trust, url: `https://${hostname}:${server.port}/` }))

  expect(failure).toMatchObject({ kind: 'tls', message })
  expect(server.requests).toEqual([])
  await Promise.all(server.closedConnections)
})

test('the environment cannot switch the check of certificates off', async () => {
  const server = await startRawServer(() => answerWith(200), { tls: valid })
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  onTestFinished(() => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  })

  expect(await failureOf(guardedFetch({ ...toReceiver, url: `https://receiver.test:${server.port}/` }))).toMatchObject({ kind: 'tls' })
})

test('https to a port with another protocol fails as tls', async () => {
  const plain = await startRawServer(() => answerWith(200))
  plain.greeting = 'HTTP/1.1 400 Bad Request\r\n\r\n'

  expect(await failureOf(guardedFetch({ ...toReceiver, url: `https://receiver.test:${plain.port}/` }))).toMatchObject({
    kind: 'tls',
    message: 'no TLS at this port',
  })
})

test('a redirect from https down to http is not followed', async () => {
  const plain = await startRawServer(() => answerWith(200))
  const server = await startRawServer(() => answerWith(302, { location: `${plain.url}/down` }), { tls: valid })

  const failure = await failureOf(guardedFetch({ ...fileLink, url: server.url, trustedCertificates: valid.cert }))

  expect(failure).toMatchObject({ kind: 'redirect', message: `redirect from https down to ${plain.url}/down not followed` })
  expect(plain.connections).toBe(0)
})

test('a redirect from http up to https is followed', async () => {
  const server = await startRawServer(() => answerWith(200, {}, 'up'), { tls: valid })
  const plain = await startRawServer(() => answerWith(301, { location: server.url }))

  expect((await fetchText({ ...fileLink, url: plain.url, trustedCertificates: valid.cert })).text).toBe('up')
})

test('a closed port fails as connect', async () => {
  const request = { ...fileLink, allowedPrivate: parseCidrs('127.0.0.0/8'), url: 'http://127.0.0.1:1/' }
  const several = { ...request, url: 'http://files.test:1/', resolve: async () => ['127.0.0.1', '127.0.0.2'] }

  expect(await failureOf(guardedFetch(request))).toMatchObject({ kind: 'connect', message: 'connection refused' })
  expect(await failureOf(guardedFetch(several))).toMatchObject({ kind: 'connect', message: 'connection refused' })
})

test.each([
  ['closes without a word', '', 'connection closed without an answer'],
  ['closes within the headers', 'HTTP/1.1 200 OK\r\nx-half', 'connection closed without an answer'],
  ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n', 'answer is not HTTP'],
  ['announces two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'answer is not HTTP'],
  [
    'announces a length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'answer is not HTTP',
  ],
  ['sends endless headers', `HTTP/1.1 200 OK\r\n${'x-more: and more\r\n'.repeat(5_000)}`, 'answer headers are too large'],
  [
    'switches protocols',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'connection closed without an answer',
  ],
])('a server that %s fails as connect, gets one request, and its connection is closed', async (_what, bytes, message) => {
  const server = await startRawServer(({ socket }) => void socket.end(bytes))

  expect(await failureOf(guardedFetch({ ...fileLink, url: server.url }))).toMatchObject({ kind: 'connect', message })
  expect(server.connections).toBe(1)
  await Promise.all(server.closedConnections)
})

test('a server that closes before the request is not connected to again', async () => {
  const server = await startRawServer(() => answerWith(200))
  server.greeting = null

  expect(await failureOf(guardedFetch({ ...fileLink, url: server.url }))).toMatchObject({ kind: 'connect' })
  expect(server.connections).toBe(1)
})

test('a pinned connection is opened once and never again', async () => {
  const server = await startRawServer(() => answerWith(200))
  const deadline = startDeadline({ deadlineSeconds: 5 })
  const connection = pinnedConnection({ url: new URL(server.url), addresses: ['127.0.0.1'] }, deadline)
  const wanted = { hostname: '127.0.0.1', protocol: 'http:', port: String(server.port) }
  const open = () => new Promise((resolve) => connection.connect(wanted, (error, socket) => resolve(error ?? socket)))

  const outcomes = [await open(), await open()]
  connection.close()
  deadline.end()

  expect(outcomes).toEqual([expect.any(Socket), expect.any(FetchFailure)])
  await Promise.all(server.closedConnections)
  expect(server.connections).toBe(1)
})

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some((entry) => entry.address === '::1'))

test.skipIf(!hasIPv6)('an allowed IPv6 literal in the URL is reachable', async () => {
  const server = await startRawServer(() => answerWith(200, {}, 'six'), { everywhere: true })

  const request = { ...fileLink, allowedPrivate: parseCidrs('::1/128'), url: `http://[::1]:${server.port}/` }

  expect((await fetchText(request)).text).toBe('six')
  expect(server.requests[0]).toContain(`host: [::1]:${server.port}`)
})
