import { expect, onTestFinished, test } from 'vitest'
import { guardedFetch } from '../../src/network/guardedFetch.ts'
import { failureOf, fetchText, fileLink, webhook } from './guardedRequests.ts'
import { answerWith, startRawServer } from './rawServer.ts'

test('a file is fetched completely, without compression, and the connection is closed afterwards', async () => {
  const server = await startRawServer(() => answerWith(200, { 'content-type': 'text/plain' }, 'a file'))

  const { answer, text } = await fetchText({ ...fileLink, url: `${server.url}/a%20b?c=d#e` })

  expect(text).toBe('a file')
  expect(answer).toMatchObject({ status: 200, failure: null, headers: { 'content-type': 'text/plain', 'content-length': '6' } })
  expect(server.requests[0]).toMatch(/^GET \/a%20b\?c=d HTTP\/1\.1\r\n/)
  expect(server.requests[0]).toMatch(/\r\naccept-encoding: identity\r\n/)
  await Promise.all(server.closedConnections)
})

test('a delivery carries the headers and the exact bytes of its body', async () => {
  const server = await startRawServer(() => answerWith(204))

  const { answer } = await fetchText({ ...webhook, url: `${server.url}/hook`, headers: { 'X-Service-Signature': 't=1,v1=00' } })

  expect(answer).toMatchObject({ status: 204, failure: null })
  expect(server.requests[0]).toMatch(/^POST \/hook HTTP\/1\.1\r\n/)
  expect(server.requests[0]).toMatch(/\r\nx-service-signature: t=1,v1=00\r\n/)
  expect(server.requests[0]).toMatch(/\r\ncontent-length: 14\r\n\r\n\{"id":"evt_1"\}$/)
})

test.each(['Host', 'accept-encoding', 'Content-Length', 'transfer-encoding', 'connection'])(
  'setting the header %s is an error in our own code',
  async (name) => {
    await expect(guardedFetch({ ...webhook, url: 'https://hooks.test/', headers: { [name]: 'x' } })).rejects.toThrow(TypeError)
  },
)

test('a header value with a line break is never sent', async () => {
  const server = await startRawServer(() => answerWith(200))

  await expect(guardedFetch({ ...webhook, url: server.url, headers: { 'x-one': 'a\r\nx-two: b' } })).rejects.toThrow('invalid x-one header')
  expect(server.requests).toEqual([])
})

test('a chunked body and a body that ends with its connection are read completely', async () => {
  const chunked = await startRawServer(() => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n')
  const closing = await startRawServer(({ socket }) => void socket.end('HTTP/1.1 200 OK\r\n\r\nabcdef'))

  expect((await fetchText({ ...fileLink, url: chunked.url })).text).toBe('abcdef')
  expect((await fetchText({ ...fileLink, url: closing.url })).text).toBe('abcdef')
})

test('a status outside 2xx fails a file download, and is returned to a webhook with a message', async () => {
  const server = await startRawServer(() => answerWith(503, {}, 'come back later'))

  const failure = await failureOf(guardedFetch({ ...fileLink, url: server.url }))
  const { answer, text } = await fetchText({ ...webhook, url: server.url })

  expect(failure).toMatchObject({ kind: 'status', status: 503, message: 'answered 503' })
  expect(answer.failure).toMatchObject({ kind: 'status', status: 503, message: 'answered 503' })
  expect(text).toBe('come back later')
})

test('up to three redirects are followed, relative ones too, and the fourth fails', async () => {
  const server = await startRawServer(({ path }) => {
    const left = Number(path.slice(1))
    return left === 0
      ? answerWith(200, {}, 'at last')
      : answerWith([301, 302, 303, 307, 308][left] ?? 302, { location: left === 2 ? '1' : `${server.url}/${left - 1}` })
  })

  const { answer, text } = await fetchText({ ...fileLink, url: `${server.url}/3` })
  const failure = await failureOf(guardedFetch({ ...fileLink, url: `${server.url}/4` }))

  expect(text).toBe('at last')
  expect(answer.url.pathname).toBe('/0')
  expect(failure).toMatchObject({ kind: 'redirect', message: 'more than 3 redirects' })
  expect(server.connections).toBe(4 + 4)
})

test.each([
  ['file:///etc/passwd', 'redirect refused: address is neither http nor https'],
  ['ftp://files.test/', 'redirect refused: address is neither http nor https'],
  ['gopher://127.0.0.1/', 'redirect refused: address is neither http nor https'],
  ['javascript:alert(1)', 'redirect refused: address is neither http nor https'],
  ['http://user:secret@files.test/', 'redirect refused: address carries user information'],
  ['//user@files.test/', 'redirect refused: address carries user information'],
  ['http://93.184.216.34:22/', 'redirect refused: port 22 is not allowed'],
  ['http://999.1.1.1/', 'redirect refused: address is not a URL'],
])('a redirect to %s fails as a redirect', async (location, message) => {
  const server = await startRawServer(() => answerWith(302, { location }))

  expect(await failureOf(guardedFetch({ ...fileLink, url: server.url }))).toMatchObject({ kind: 'redirect', status: 302, message })
  expect(server.connections).toBe(1)
})

test('a webhook does not follow a redirect, and its log names the target without secrets', async () => {
  const other = await startRawServer(() => answerWith(200))
  const server = await startRawServer(() =>
    answerWith(308, { location: `http://me:secret@127.0.0.1:${other.port}/elsewhere?token=secret` }, 'moved'),
  )

  const { answer, text } = await fetchText({ ...webhook, url: server.url })

  expect(answer.status).toBe(308)
  expect(answer.failure).toMatchObject({ kind: 'redirect', message: `redirect to http://127.0.0.1:${other.port}/elsewhere not followed` })
  expect(text).toBe('moved')
  expect(other.connections).toBe(0)
})

test('a POST never follows a redirect, even when redirects are allowed', async () => {
  const server = await startRawServer(() => answerWith(307, { location: '/again' }))

  const { answer } = await fetchText({ ...webhook, url: server.url, redirectsMax: 3 })

  expect(answer.failure?.kind).toBe('redirect')
  expect(server.requests).toHaveLength(1)
})

test('a redirect status without a Location is an answer like any other', async () => {
  const server = await startRawServer(() => answerWith(302))

  expect(await failureOf(guardedFetch({ ...fileLink, url: server.url }))).toMatchObject({ kind: 'status', status: 302 })
})

test("the caller's headers go to the first origin and not to another one", async () => {
  const second = await startRawServer(() => answerWith(200))
  const first = await startRawServer(({ path }) => answerWith(302, { location: path === '/' ? '/same-origin' : second.url }))

  await fetchText({ ...fileLink, url: first.url, headers: { authorization: 'Bearer secret' } })

  expect(first.requests.every((request) => request.includes('authorization: Bearer secret'))).toBe(true)
  expect(second.requests[0]).not.toContain('authorization')
})

test('a proxy named in the environment is not used', async () => {
  const proxy = await startRawServer(() => answerWith(200, {}, 'from the proxy'))
  const server = await startRawServer(() => answerWith(200, {}, 'direct'))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
    const before = process.env[name]
    process.env[name] = proxy.url
    onTestFinished(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }

  expect((await fetchText({ ...fileLink, url: server.url })).text).toBe('direct')
  expect(proxy.connections).toBe(0)
})
