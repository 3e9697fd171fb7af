import { expect, test } from 'vitest'
import { closeConnections, json, refusal, scriptedServer } from './scriptedServer.ts'

const request = { familyId: 'sandbox-image', prompt: 'x' }
const queued = { generationId: 'gen_1', state: 'queued', pollAfterSeconds: 2 }
const ready = { generationId: 'gen_1', state: 'ready' }

test('a generation that ends soon needs one request', async () => {
  const { client, requests } = await scriptedServer([json(201, { ...ready, replayed: false })])
  expect(await client.run(request)).toEqual(ready)
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /api/v1/generations?wait=30'])
})

test('a longer generation is awaited for the remaining time', async () => {
  const held = (response: Parameters<ReturnType<typeof json>>[0]) => {
    pass(30)
    json(201, { ...queued, replayed: false })(response)
  }
  const { client, requests, pass } = await scriptedServer([held, json(200, queued)])
  const error: unknown = await client.run(request, { timeoutSeconds: 45 }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'timed_out', message: expect.stringContaining('45 seconds'), details: { generationId: 'gen_1' } })
  expect(requests.slice(0, 2).map(({ url }) => url)).toEqual(['/api/v1/generations?wait=30', '/api/v1/generations/gen_1?wait=15'])
})

test('a start is held at most for the time limit, and not at all with onProgress', async () => {
  const short = await scriptedServer([json(201, { ...ready, replayed: false })])
  await short.client.run(request, { timeoutSeconds: 5.5 })
  await short.client.run(request, { timeoutSeconds: 0 })
  expect(short.requests.map(({ url }) => url)).toEqual(['/api/v1/generations?wait=5', '/api/v1/generations'])
})

test('a held start whose answer is lost continues with its key', async () => {
  const { client, requests } = await scriptedServer([closeConnections, json(201, { ...ready, replayed: true })])
  expect(await client.run(request)).toEqual(ready)
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/generations?wait=30', '/api/v1/generations?wait=30'])
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('a service that refuses held starts gets a plain start with the same key', async () => {
  const issues = [{ in: 'query', path: ['wait'], code: 'unknown_field', message: 'No.' }]
  const answers = [refusal(400, 'invalid_request', { details: { issues } }), json(201, { ...queued, replayed: false }), json(200, ready)]
  const { client, requests } = await scriptedServer(answers)
  expect(await client.run(request, { idempotencyKey: 'once' })).toEqual(ready)
  expect(requests.map(({ url }) => url.slice('/api/v1/'.length))).toEqual([
    'generations?wait=30',
    'generations',
    'generations/gen_1?wait=60',
  ])
  expect(requests.slice(0, 2).map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once'])
})

test('another refusal of a run is thrown with the key of the start', async () => {
  const issues = [{ in: 'body', path: ['familyId'], code: 'required', message: 'No.' }]
  const { client, requests } = await scriptedServer([refusal(400, 'invalid_request', { details: { issues } })])
  await expect(client.run(request, { idempotencyKey: 'once' })).rejects.toMatchObject({ code: 'invalid_request', idempotencyKey: 'once' })
  expect(requests).toHaveLength(1)
})

test('a start is held for the requested time', async () => {
  const { client, requests } = await scriptedServer([json(201, { ...ready, replayed: false })])
  expect(await client.start(request, { wait: 20 })).toEqual({ ...ready, replayed: false })
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/generations?wait=20'])
})
