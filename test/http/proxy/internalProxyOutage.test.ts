import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { defaultUpstreamTimeouts } from '../../../src/http/proxy/internalUpstream.ts'
import { selfSignedCertificate } from '../../network/selfSignedCertificate.ts'
import { opened } from '../../support/http/rawSocket.ts'
import { anInternalStub, aSide, type ForwardedRequest } from '../../support/processes/splitProcesses.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const quick = { connectMs: 200, checkIntervalMs: 50, probeMs: 100, answerMs: 30_000, drainMs: 50 }
const aPublicSide = (internalUrl: string) => aSide(services, { serves: 'public', internalUrl, defaultUpstreamTimeouts: quick })
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }

async function expectUnavailable(answer: Response): Promise<void> {
  expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('content-encoding')]).toEqual([503, '5', null])
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
  expect(await answer.json()).toMatchObject({ error: { code: 'service_unavailable', retryable: true } })
}

test('connecting, and detecting a dead upstream, end within five seconds', () => {
  expect(defaultUpstreamTimeouts.connectMs).toBeLessThan(5000)
  expect(defaultUpstreamTimeouts.checkIntervalMs + defaultUpstreamTimeouts.probeMs).toBeLessThan(5000)
})

test('without an upstream, requests get 503 with Retry-After', async () => {
  const standIn = await anInternalStub((response) => response.end())
  const { origin } = await aPublicSide(standIn.origin)
  expect((await fetch(`${origin}/graphql`, post)).status).toBe(200)
  standIn.close()
  for (const path of ['/graphql', '/auth/session', '/integrations']) await expectUnavailable(await fetch(`${origin}${path}`, post))
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
})

test('an upstream that accepts connections and never answers counts as dead', async () => {
  const standIn = await anInternalStub(
    () => undefined,
    () => undefined,
  )
  const { origin } = await aPublicSide(standIn.origin)
  await expectUnavailable(await fetch(`${origin}/graphql`, post))
  await expectUnavailable(await fetch(`${origin}/integrations`))
})

test('a slow response is awaited while the upstream is alive', async () => {
  const release = Promise.withResolvers<void>()
  let probes = 0
  const standIn = await anInternalStub(
    (response) => void release.promise.then(() => response.end('late')),
    (response) => {
      probes += 1
      if (probes === 3) release.resolve()
      response.writeHead(404).end()
    },
  )
  const { origin } = await aPublicSide(standIn.origin)
  expect(await (await fetch(`${origin}/graphql`, post)).text()).toBe('late')
})

const foreign = [
  ['a gateway in between', 502, '<html>Bad Gateway</html>'],
  ['another server', 500, '{"message":"oops"}'],
] as const

test.each(foreign)('a fault of %s becomes a normal refusal', async (_, status, text) => {
  const standIn = await anInternalStub((response) =>
    response.writeHead(status, { 'content-encoding': 'identity', 'set-cookie': 'a=1' }).end(text),
  )
  const { origin } = await aPublicSide(standIn.origin)
  const answer = await fetch(`${origin}/integrations`)
  expect(answer.headers.has('set-cookie')).toBe(false)
  await expectUnavailable(answer)
})

test('an error of the internal listener is returned, and the request is not repeated', async () => {
  const refusal = '{"error":{"code":"service_unavailable"}}'
  const headers = { 'x-request-id': 'req_01kabc5m1dexampleexample00', 'retry-after': '1', 'content-type': 'application/json' }
  const standIn = await anInternalStub((response) => response.writeHead(503, headers).end(refusal))
  const { origin } = await aPublicSide(standIn.origin)
  const answer = await fetch(`${origin}/integrations`)
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([503, '1', refusal])
  expect(standIn.asked).toHaveLength(1)
})

test('a request whose connection breaks is not sent again', async () => {
  const standIn = await anInternalStub((response) => response.destroy())
  const { origin } = await aPublicSide(standIn.origin)
  await expectUnavailable(await fetch(`${origin}/graphql`, post))
  await expectUnavailable(await fetch(`${origin}/graphql`))
  expect(standIn.asked.map(({ method }) => method)).toEqual(['POST', 'GET'])
})

test('a truncated response is visible as truncated', async () => {
  const standIn = await anInternalStub((response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('12345', () => response.destroy())
  })
  const { origin } = await aPublicSide(standIn.origin)
  await expect(fetch(`${origin}/integrations`).then((answer) => answer.text())).rejects.toThrow('terminated')
})

test('a disconnected client aborts its upstream request', async () => {
  const arrived = Promise.withResolvers<ForwardedRequest>()
  const standIn = await anInternalStub((_response, asked) => arrived.resolve(asked))
  const { port } = await aSide(services, { serves: 'public', internalUrl: standIn.origin })
  const socket = await opened(port)
  socket.write('GET /graphql HTTP/1.1\r\nHost: media.test\r\n\r\n')
  const { aborted } = await arrived.promise
  socket.destroy()
  await aborted
})

test('a stopping process waits only shortly for upstream requests', async () => {
  const standIn = await anInternalStub(() => undefined)
  const side = await aPublicSide(standIn.origin)
  const answer = fetch(`${side.origin}/graphql`, post)
  await vi.waitFor(() => expect(standIn.asked).toHaveLength(1), { interval: 5 })
  await side.drain()
  await expectUnavailable(await answer)
})

test('an untrusted certificate is refused', async () => {
  const standIn = createServer(
    selfSignedCertificate({ hostname: 'internal.test', notBefore: new Date(0), notAfter: new Date('2099-01-01') }),
    (_request, response) => response.end('stolen'),
  )
  standIn.listen(0, '127.0.0.1')
  await once(standIn, 'listening')
  onTestFinished(() => void standIn.close())
  const { origin } = await aPublicSide(`https://127.0.0.1:${(standIn.address() as AddressInfo).port}`)
  await expectUnavailable(await fetch(`${origin}/integrations`))
})

test('an incomplete body is never sent upstream', async () => {
  const standIn = await anInternalStub((response) => response.end())
  const { port, origin } = await aPublicSide(standIn.origin)
  const socket = await opened(port)
  socket.write('POST /graphql HTTP/1.1\r\nHost: media.test\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a"')
  socket.end()
  expect((await fetch(`${origin}/integrations`)).status).toBe(200)
  expect(standIn.asked.map(({ url }) => url)).toEqual(['/integrations'])
})
