import type { ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { exchange } from '../support/http/rawSocket.ts'
import { anInternalStub, aSide } from '../support/processes/splitProcesses.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

async function aPublicSide(answer: (response: ServerResponse) => void = (response) => response.end('{}'), trustedProxies = '') {
  const standIn = await anInternalStub(answer)
  const { port, origin } = await aSide(services, { serves: 'public', internalUrl: standIn.origin, trustedProxies })
  const say = async (lines: string[], body = '') => {
    const { answers } = await exchange(port, `${['POST /graphql HTTP/1.1', 'Host: media.test', ...lines].join('\r\n')}\r\n\r\n${body}`)
    return answers
  }
  return { ...standIn, port, origin, say }
}

test('a request is proxied unchanged: host, origin, cookies and body', async () => {
  const { say, asked } = await aPublicSide()
  const body = '{ "query" : "{ viewer { id } }" }\n'
  const own = ['Origin: https://media.test', 'Cookie: a=1; b="2"', 'X-Of-Ours: yes', 'Sec-Fetch-Site: same-origin']
  expect(await say([...own, 'Content-Type: application/json; charset=utf-8', `Content-Length: ${body.length}`], body)).toMatchObject([
    { status: 200 },
  ])
  expect(asked).toMatchObject([
    {
      method: 'POST',
      body,
      headers: {
        host: 'media.test',
        origin: 'https://media.test',
        cookie: 'a=1; b="2"',
        'x-of-ours': 'yes',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      },
    },
  ])
})

test('a chunked body, a body of another type or without a type, and an empty body arrive unchanged', async () => {
  const { say, asked } = await aPublicSide()
  await say(['Transfer-Encoding: chunked', 'Content-Type: application/json'], '3\r\n{"a\r\n3\r\n":1\r\n1\r\n}\r\n0\r\n\r\n')
  await say(['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3'], 'a=b')
  await say(['Content-Length: 2'], '{}')
  await say(['Content-Type: application/json', 'Content-Length: 0'])
  await say([])
  expect(
    asked.map(({ body, headers }) => [body, headers['content-type'], headers['content-length'], headers['transfer-encoding']]),
  ).toEqual([
    ['{"a":1}', 'application/json', '7', undefined],
    ['a=b', 'application/x-www-form-urlencoded', '3', undefined],
    ['{}', undefined, '2', undefined],
    ['', 'application/json', '0', undefined],
    ['', undefined, '0', undefined],
  ])
})

test('hop-by-hop headers and forwarding headers of clients are not proxied', async () => {
  const { say, asked } = await aPublicSide()
  const dropped = [
    ...[
      'Connection: keep-alive, X-Secret',
      'X-Secret: 1',
      'Keep-Alive: timeout=5',
      'TE: trailers',
      'Trailer: X',
      'Proxy-Connection: close',
    ],
    ...['Upgrade: websocket', 'HTTP2-Settings: AAMAAABk', 'Expect: 100-continue', 'Proxy-Authorization: Basic eDp4'],
    ...['X-Forwarded-For: 192.0.2.66', 'X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: https', 'X-Forwarded-Anything: x'],
    ...['Forwarded: for=192.0.2.66', 'Via: 1.1 evil', 'X-Real-IP: 192.0.2.66'],
  ]
  await say(dropped)
  const [{ headers } = { headers: {} }] = asked
  expect(headers).toEqual({
    host: 'media.test',
    connection: 'keep-alive',
    'content-length': '0',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-atelier-passed-on': expect.any(String),
  })
})

test('only the client address from a trusted proxy is passed on', async () => {
  const { say, asked } = await aPublicSide(undefined, '127.0.0.1')
  await say(['X-Forwarded-For: 192.0.2.66, 2001:db8::7', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: shop.test'])
  expect(asked).toMatchObject([{ headers: { host: 'shop.test', 'x-forwarded-for': '2001:db8::7', 'x-forwarded-proto': 'https' } }])
  expect(asked[0]?.headers['x-forwarded-host']).toBeUndefined()
})

test('a WebSocket upgrade is refused', async () => {
  const { port, asked } = await aPublicSide((response) => response.writeHead(404).end())
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const { answers } = await exchange(port, `GET /graphql HTTP/1.1\r\nHost: media.test\r\n${upgrade}\r\n\r\n`)
  expect(answers).toMatchObject([{ status: 404 }])
  expect(asked).toMatchObject([{ method: 'GET', headers: { connection: 'keep-alive' } }])
  expect(asked[0]?.headers.upgrade).toBeUndefined()
})

test('a response comes back unchanged, with separate cookies and without hop-by-hop headers', async () => {
  const { origin } = await aPublicSide((response) => {
    response.writeHead(201, [
      ...[
        'Set-Cookie',
        'a=1; HttpOnly',
        'Set-Cookie',
        'b=2',
        'Content-Security-Policy',
        "default-src 'none'",
        'Location',
        '/integrations/x',
      ],
      ...['Content-Type', 'text/html; charset=utf-8', 'Content-Encoding', 'br', 'ETag', '"x"', 'X-Request-Id', 'req_of_theirs'],
      ...['Connection', 'X-Hop', 'X-Hop', '1', 'Proxy-Authenticate', 'Basic', 'Keep-Alive', 'timeout=1'],
    ])
    response.end(Buffer.from([11, 2, 128, 104, 101, 108, 108, 111, 3]))
  })
  const answer = await fetch(`${origin}/integrations`, { redirect: 'manual' })
  expect([answer.status, await answer.text()]).toEqual([201, 'hello'])
  expect(answer.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2'])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'",
    location: '/integrations/x',
    etag: '"x"',
    'x-request-id': 'req_of_theirs',
    'x-ratelimit-limit': '600',
  })
  expect(['x-hop', 'proxy-authenticate'].filter((name) => answer.headers.has(name))).toEqual([])
  expect(answer.headers.get('keep-alive')).not.toBe('timeout=1')
})

test('a HEAD and a 304 have no body and keep their headers', async () => {
  const { origin, asked } = await aPublicSide((response) => {
    if (response.req.method === 'HEAD') return response.writeHead(200, { 'Content-Length': '5', ETag: '"x"' }).end()
    return response.writeHead(304, { ETag: '"x"' }).end()
  })
  const head = await fetch(`${origin}/integrations`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '5', '"x"'])
  const unchanged = await fetch(`${origin}/integrations`, { headers: { 'if-none-match': '"x"' } })
  expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, '"x"'])
  expect(asked.map(({ method }) => method)).toEqual(['HEAD', 'GET'])
})

test.each(['announced', 'in chunks'])('a body over 256 KiB, %s, is not proxied', async (way) => {
  const { origin, asked } = await aPublicSide()
  const whole = 'x'.repeat(262_145)
  const body = way === 'announced' ? whole : new Blob([whole]).stream()
  const answer = await fetch(`${origin}/graphql`, { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ error: { code: 'payload_too_large', details: { maxBytes: 262_144 } } })
  expect((await fetch(`${origin}/graphql`, { method: 'POST', body: 'x'.repeat(262_144) })).status).toBe(200)
  expect(asked.map(({ body: arrived }) => arrived.length)).toEqual([262_144])
})
