import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { exchange, opened, type RawAnswer } from '../support/http/rawSocket.ts'

const app = await testApp({ timeouts: { headersMs: 400, requestMs: 800, stallMs: 10_000, silenceMs: 120_000, checkIntervalMs: 50 } })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)

const authorization = `Authorization: Bearer ${key}\r\n`
const host = 'Host: atelier.test\r\n'
const body = '{"familyId":"sandbox-image","prompt":"a lighthouse"}'
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${host}${authorization}${headers}\r\n`
const post = (headers: string, content = body, path = '/api/v1/generations/estimate') =>
  `POST ${path} HTTP/1.1\r\n${host}${authorization}Content-Type: application/json\r\n${headers}\r\n${content}`
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

function expectRefusal(answer: RawAnswer | undefined, status: number, code: string): void {
  expect(answer).toMatchObject({
    status,
    headers: { 'x-request-id': expect.stringMatching(/^req_/), 'x-ratelimit-limit': expect.any(String) },
  })
  expect(JSON.parse(answer?.text ?? '').error).toMatchObject({ code, message: expect.any(String), retryable: false })
  expect(answer?.text).not.toMatch(/node_modules|\.ts:|\.js:|select |Error:|HPE_/)
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('close', () => resolve()))
}

const rejected: Record<string, string> = {
  'no HTTP at all': '\0\x01\x02 nothing of the kind\r\n\r\n',
  'an unknown method': `FOO /api/v1/account HTTP/1.1\r\n${host}\r\n`,
  'a method in small letters': `get /api/v1/account HTTP/1.1\r\n${host}\r\n`,
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a tunnel': `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`,
  'no Host': `GET /api/v1/account HTTP/1.1\r\n${authorization}\r\n`,
  'two hosts': get('/api/v1/account', 'Host: other.test\r\n'),
  'the same host twice': get('/api/v1/account', host),
  'a host twice, once in capitals': get('/api/v1/account', 'HOST: atelier.test\r\n'),
  'an address that names another host': get('http://other.test/api/v1/account'),
  'an address that names another port': get('http://atelier.test:8080/api/v1/account'),
  'an address with user information': get('http://atelier.test@other.test/api/v1/account'),
  'an address with a name before our host': get('http://other.test@atelier.test/api/v1/account'),
  'an address of another host behind HTTP/1.0': `GET http://other.test/ HTTP/1.0\r\n${host}\r\n`,
  'a header without a colon': get('/api/v1/account', 'nothing\r\n'),
  'a NUL in a header': get('/api/v1/account', 'X-Odd: a\0b\r\n'),
  'a folded header': get('/api/v1/account', 'X-Odd: a\r\n b\r\n'),
  'bare line feeds': get('/api/v1/account').replaceAll('\r', ''),
  'a space in the address': get('/api/v1/acc ount'),
  'bytes beyond ASCII in the address': get('/api/v1/families/\xc3\xa9'),
  'headers of 20 kB': get('/api/v1/account', `X-Odd: ${'a'.repeat(20_000)}\r\n`),
  'an address of 20 kB': get(`/api/v1/generations/${'a'.repeat(20_000)}`),
  'a length in letters': post('Content-Length: many\r\n'),
  'a length below zero': post('Content-Length: -5\r\n'),
  'a length beyond all numbers': post('Content-Length: 99999999999999999999\r\n'),
  'the same length twice': post(`Content-Length: ${body.length}\r\nContent-Length: ${body.length}\r\n`),
  'two lengths': post(`Content-Length: ${body.length}\r\nContent-Length: 5\r\n`),
  'a length and chunks': post(`Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n`, chunked),
  'a coding that ends in no chunks': post('Transfer-Encoding: identity\r\n'),
  'chunks of no size': post('Transfer-Encoding: chunked\r\n', `zz\r\n${body}\r\n0\r\n\r\n`),
}

test.each(Object.entries(rejected))('%s gets a 400 refusal, and the connection closes', async (_name, bytes) => {
  const { answers, closed } = await exchange(app.port, bytes, { answersWanted: 2 })
  expectRefusal(answers[0], 400, 'invalid_request')
  expect(answers[0]?.headers['connection']).toBe('close')
  expect(answers).toHaveLength(1)
  expect(closed).toBe(true)
})

const taken: Record<string, string> = {
  'HTTP/1.0 without a Host': `GET /api/v1/account HTTP/1.0\r\n${authorization}\r\n`,
  'the address in its absolute form': get('http://atelier.test/api/v1/account'),
  'the address in its absolute form, in other letters and with the usual port': get('http://ATELIER.test:80/api/v1/account'),
  'an unknown expectation': post(`Expect: a-miracle\r\nContent-Length: ${body.length}\r\n`),
  'an expectation of 100': post(`Expect: 100-continue\r\nContent-Length: ${body.length}\r\n`),
  'an unsupported upgrade': get('/api/v1/account', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  'a body in chunks': post('Transfer-Encoding: chunked\r\n', chunked),
  'a GET with a body': get('/api/v1/account', 'Content-Length: 5\r\n').concat('hello'),
}

test.each(Object.entries(taken))('%s is served', async (_name, bytes) => {
  const { answers } = await exchange(app.port, bytes)
  expect(answers).toMatchObject([{ status: 200 }])
})

test('a compressed transfer is refused like a compressed body', async () => {
  const { answers } = await exchange(app.port, post('Transfer-Encoding: gzip, chunked\r\n', chunked))
  expectRefusal(answers[0], 415, 'unsupported_content_type')
})

test('endless headers are cut off with a response', async () => {
  const { answers, closed } = await exchange(app.port, `GET /api/v1/account HTTP/1.1\r\n${host}X-Slow: `, { answersWanted: 2 })
  expectRefusal(answers[0], 400, 'invalid_request')
  expect(closed).toBe(true)
})

test('an endless body is cut off with a response, and moves no credits', async () => {
  const { answers, closed } = await exchange(app.port, post('Content-Length: 1000\r\n', '{"familyId":', '/api/v1/generations'), {
    answersWanted: 2,
  })
  expectRefusal(answers[0], 400, 'invalid_request')
  expect(closed).toBe(true)
  expect((await app.ask('GET /account', { key })).body.creditsAvailable).toBe(1000)
})

test('a client that sends its body very slowly is cut off', async () => {
  const socket = await opened(app.port)
  const closed = closeOf(socket)
  socket.write(post('Content-Length: 1000\r\n', '{'))
  let sent = 1
  const drip = setInterval(() => {
    socket.write(' ')
    sent++
  }, 50)
  await closed
  clearInterval(drip)
  // Half of the body, which would take 25 seconds.
  expect(sent).toBeLessThan(500)
})

test('invalid bytes after a complete request do not damage the response to that request', async () => {
  const { answers, closed } = await exchange(app.port, `${get('/api/v1/account')}\0\0\0`, { answersWanted: 2 })
  expect(answers).toMatchObject([{ status: 200 }])
  expect(closed).toBe(true)
})

test('after a rejection, the connection is closed although the client keeps its side open', async () => {
  const socket = await opened(app.port)
  socket.setNoDelay(true)
  const closed = closeOf(socket)
  socket.write('nonsense\r\n\r\n')
  await once(socket, 'data')
  const keepTalking = setInterval(() => socket.write('x'), 20)
  await closed
  clearInterval(keepTalking)
})

test('disconnected clients leave no resources behind', async () => {
  const parts = [
    post('Content-Length: 1000\r\n', '{"familyId":'),
    get('/api/v1/account').slice(0, 40),
    get('/api/v1/account'),
    post(`Content-Length: ${body.length}\r\n`),
  ]
  for (let n = 0; n < 40; n++) {
    const socket = await opened(app.port)
    socket.write(parts[n % parts.length] ?? '')
    if (n % 3 > 0) await pause(n % 5)
    socket.destroy()
  }
  const answer = await app.ask('GET /account', { key })
  expect(answer).toMatchObject({ status: 200, body: { creditsAvailable: 1000 } })
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('pipelined requests are answered in their order', async () => {
  const { answers } = await exchange(app.port, get('/api/v1/account') + get('/api/v1/nothing') + get('/api/v1/families/none'), {
    answersWanted: 3,
  })
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 400])
})

test('a client that still sends can read its refusal, and its connection is closed if it asked for that', async () => {
  // Without the short limits of the others: a busy machine takes longer to send this much.
  const unhurried = await testApp({ databaseUrl: app.databaseUrl })
  onTestFinished(unhurried.close)
  const size = 12_000_000
  const cases: [path: string, headers: string, status: number][] = [
    ['/api/v1/generations', authorization, 413],
    ['/api/v1/generations', '', 401],
    ['/api/v1/generations', `${authorization}X-Type: `, 415],
    ['/api/v1/account', authorization, 405],
    ['/api/v1/nothing', authorization, 404],
    ['/graphql', '', 401],
  ]
  for (const [path, more, status] of cases) {
    for (const connection of ['', 'Connection: close\r\n']) {
      const head = `POST ${path} HTTP/1.1\r\n${host}${more}Content-Type: application/json\r\nContent-Length: ${size}\r\n${connection}\r\n`
      const { answers, closed } = await exchange(unhurried.port, Buffer.concat([Buffer.from(head), Buffer.alloc(size, 'x')]), {
        answersWanted: connection === '' ? 1 : 2,
        patienceMs: 30_000,
      })
      expect(answers.map((answer) => answer.status)).toEqual([status])
      expect(closed).toBe(connection !== '')
    }
  }
  expect((await unhurried.ask('GET /account', { key })).status).toBe(200)
})
