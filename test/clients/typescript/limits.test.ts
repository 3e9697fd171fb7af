import { expect, test } from 'vitest'
import { Atelier, AtelierError, TimedOutError } from '../../../clients/typescript/src/index.ts'
import { json, refusal, scriptedServer, silence } from './scriptedServer.ts'

const request = { familyId: 'sandbox-image', prompt: 'x' }
const queued = { generationId: 'gen_1', state: 'queued', pollAfterSeconds: 2 }

async function thrownBy(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('the time limit of a run counts from the start on, also while the service refuses', async () => {
  const { client, pauses } = await scriptedServer([refusal(503, 'service_unavailable', { retryable: true })])
  const error = await thrownBy(client.run(request, { timeoutSeconds: 5 }))
  expect(error).toMatchObject({ code: 'service_unavailable', request, idempotencyKey: expect.any(String) })
  expect(pauses.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThan(6)
})

test('a run that takes too long has the identifier of its generation', async () => {
  const { client } = await scriptedServer([json(201, { ...queued, replayed: false }), json(200, queued)])
  const error = await thrownBy(client.run(request, { timeoutSeconds: 0 }))
  expect(error).toBeInstanceOf(TimedOutError)
  expect(error instanceof TimedOutError && error.generationId).toBe('gen_1')
})

test('a call has its own attempts, time limit and headers, and never sends another key', async () => {
  const { client, requests } = await scriptedServer([refusal(503, 'service_unavailable', { retryable: true })], {
    headers: { 'x-all': 'a' },
  })
  const headers = { 'X-Trace': '1', authorization: 'Bearer atl_other', accept: 'text/plain' }
  await thrownBy(client.getAccount({ attemptsMax: 2, headers }))
  expect(requests).toHaveLength(2)
  expect(requests[0]?.headers).toMatchObject({ 'x-all': 'a', 'x-trace': '1', authorization: 'Bearer atl_key', accept: 'application/json' })
  const slow = await scriptedServer([silence])
  expect(await thrownBy(slow.client.getAccount({ timeoutSeconds: 0.05 }))).toBeInstanceOf(TimedOutError)
})

test('withResponse gives the status and the headers beside the value', async () => {
  const { client } = await scriptedServer([
    json(201, { ...queued, replayed: true }, { 'X-RateLimit-Remaining': '599' }),
    refusal(404, 'generation_not_found'),
  ])
  const { data, response } = await client.start(request).withResponse()
  expect([data.replayed, response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([true, 201, '599'])
  await expect(client.getGeneration('gen_1').withResponse()).rejects.toBeInstanceOf(AtelierError)
  expect(await client.getGeneration('gen_1').catch(() => 'caught')).toBe('caught')
  expect(
    await client
      .getGeneration('gen_1')
      .then(
        () => 'a value',
        () => 'an error',
      )
      .finally(() => undefined),
  ).toBe('an error')
})

test.each([
  ['http://host:1', 'http://host:1/api/v1/account'],
  ['http://host:1/', 'http://host:1/api/v1/account'],
  ['http://host:1/api/v1', 'http://host:1/api/v1/account'],
  ['http://host:1/api/v1/', 'http://host:1/api/v1/account'],
  ['http://host:1/atelier', 'http://host:1/atelier/api/v1/account'],
  ['', 'http://127.0.0.1:8080/api/v1/account'],
])('the address %j is that of the service, with or without /api/v1', async (address, asked) => {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (url) => {
    urls.push(url instanceof Request ? url.url : url.toString())
    return Response.json({})
  }
  await new Atelier({ baseUrl: address, key: 'k', fetch, environment: {} }).getAccount()
  await new Atelier({ fetch, environment: { ATELIER_URL: address, ATELIER_KEY: ' k\n' } }).getAccount()
  expect(urls).toEqual([asked, asked])
})

test('a missing key, a refused connection and a wrong path name the variable and the address', async () => {
  expect(() => new Atelier({ environment: {} })).toThrow('There is no API key: set ATELIER_KEY, or pass `key`.')
  expect(() => new Atelier({ environment: { ATELIER_URL: 'ftp://me:secret@host', ATELIER_KEY: 'k' } })).toThrow(
    /^ATELIER_URL takes an http(?!.*secret)/,
  )
  const { origin, close } = await scriptedServer([silence])
  await close()
  const environment = { ATELIER_URL: origin, ATELIER_KEY: 'k' }
  const refused = await thrownBy(new Atelier({ environment, attemptsMax: 1 }).getAccount())
  expect(refused).toMatchObject({
    message: `The service could not be reached at ${origin}/api/v1, the address in ATELIER_URL (ECONNREFUSED).`,
  })
  const fetch = async () =>
    Response.json({ error: { code: 'not_found', message: 'Nothing exists at this address.', retryable: false } }, { status: 404 })
  const wrong = await thrownBy(new Atelier({ fetch, environment: { ...environment, ATELIER_URL: 'http://host/api/v2' } }).getAccount())
  expect(wrong).toMatchObject({ code: 'not_found', message: expect.stringContaining('http://host/api/v2, the address in ATELIER_URL') })
})

test('families are read page by page', async () => {
  const { client, requests } = await scriptedServer([
    json(200, { items: [{ id: 'a' }], nextCursor: 'c' }),
    json(200, { items: [{ id: 'b' }], nextCursor: null }),
  ])
  const ids: string[] = []
  for await (const { id } of client.families({ outputType: 'image' })) ids.push(id)
  expect(ids).toEqual(['a', 'b'])
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/families?outputType=image', '/api/v1/families?outputType=image&cursor=c'])
})
