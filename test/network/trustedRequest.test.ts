import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { NotSent, trustedRequest } from '../../src/network/trustedRequest.ts'
import { answerWith, startRawServer } from './rawServer.ts'
import { selfSignedCertificate } from './selfSignedCertificate.ts'

const alive = () => AbortSignal.timeout(5000)
const post = (url: string, signal = alive()) => trustedRequest({ url: new URL(url), method: 'POST', body: '{"prompt":"a kite"}', signal })

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) => error,
  )
}

test('a request is sent once, over a new connection, with its headers and body', async () => {
  const server = await startRawServer(() => answerWith(201, { 'x-units': '3' }, 'made'))
  const url = new URL(`${server.url}/v1/jobs?draft=1`)

  for (let n = 0; n < 2; n++) {
    const answer = await trustedRequest({ url, method: 'POST', headers: { authorization: 'Bearer k' }, body: 'work', signal: alive() })
    expect(answer).toMatchObject({ status: 201, headers: { 'x-units': '3' } })
    expect(await text(answer.body)).toBe('made')
  }

  await Promise.all(server.closedConnections)
  expect(server.connections).toBe(2)
  expect(server.requests[0]).toMatch(/^POST \/v1\/jobs\?draft=1 HTTP\/1\.1\r\n/)
  expect(server.requests[0]).toContain('authorization: Bearer k')
  expect(server.requests[0]).toMatch(/\r\n\r\nwork$/)
})

test('a redirect is returned and not followed', async () => {
  const other = await startRawServer(() => answerWith(200))
  const server = await startRawServer(() => answerWith(307, { location: other.url }))

  const answer = await post(server.url)
  answer.body.destroy()

  expect(answer.status).toBe(307)
  expect(other.connections).toBe(0)
})

test('a failed connection is reported as certainly not sent', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as { port: number }
  closed.close()
  const { key, cert } = selfSignedCertificate({
    hostname: 'vendor.test',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 60_000),
  })
  const untrusted = await startRawServer(() => answerWith(200), { tls: { key, cert } })

  expect(await failureOf(post(`http://127.0.0.1:${port}`))).toBeInstanceOf(NotSent)
  expect(await failureOf(post('http://nowhere.invalid'))).toBeInstanceOf(NotSent)
  expect(await failureOf(post(untrusted.url))).toBeInstanceOf(NotSent)
  expect(untrusted.requests).toEqual([])
  expect(await failureOf(post('http://127.0.0.1:1', AbortSignal.abort()))).toBeInstanceOf(NotSent)
})

test('a failure after the connection is reported as possibly sent', async () => {
  const cutting = await startRawServer(({ socket }) => {
    socket.resetAndDestroy()
    return undefined
  })
  const silent = await startRawServer(() => undefined)
  const leaving = new AbortController()

  const cut = await failureOf(post(cutting.url))
  const waiting = failureOf(post(silent.url, leaving.signal))
  await expect.poll(() => silent.requests.length).toBe(1)
  leaving.abort(new Error('enough'))
  const abandoned = await waiting

  for (const failure of [cut, abandoned]) {
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(NotSent)
  }
  expect(cutting.connections).toBe(1)
  await Promise.all(silent.closedConnections)
})

test('a truncated response fails its reader, and a reader that stops closes the connection', async () => {
  const breaking = await startRawServer(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
    return undefined
  })
  const whole = await startRawServer(() => answerWith(200, {}, 'x'.repeat(100_000)))

  const half = await post(breaking.url)
  await expect(text(half.body)).rejects.toThrow(/closed|terminated/)

  const left = await post(whole.url)
  left.body.destroy()
  await Promise.all(whole.closedConnections)
})
