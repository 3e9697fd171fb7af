import { expect, test } from 'vitest'
import { AtelierError } from '../../../clients/typescript/src/index.ts'
import { breakOff, closeConnections, json, refusal, scriptedServer, silence } from './scriptedServer.ts'

const request = { familyId: 'sandbox-image', prompt: 'x' }
const started = json(201, { generationId: 'gen_1', state: 'queued', replayed: false })
const account = json(200, { creditsAvailable: 1 })
const busy = refusal(503, 'service_unavailable', { retryable: true, headers: { 'Retry-After': '2' } })

async function failureOf(call: Promise<unknown>): Promise<AtelierError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AtelierError)
  return error as AtelierError
}

test('a start keeps its key through lost connections, temporary refusals and a running earlier attempt', async () => {
  const running = refusal(409, 'idempotency_in_progress', { retryable: true, headers: { 'Retry-After': '1' } })
  const { client, requests } = await scriptedServer([closeConnections, busy, breakOff, running, started])
  expect(await client.start(request)).toMatchObject({ generationId: 'gen_1' })
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(Array.from({ length: 5 }, () => 'POST /api/v1/generations'))
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(requests[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  expect(new Set(requests.map(({ body }) => body.toString()))).toEqual(new Set([JSON.stringify(request)]))
})

test('two starts have two keys, and a given key is sent', async () => {
  const { client, requests } = await scriptedServer([started])
  await client.start(request)
  await client.start(request)
  await client.start(request, { idempotencyKey: 'order-1' })
  const [first, second, third] = requests.map(({ headers }) => headers['idempotency-key'])
  expect(first).not.toBe(second)
  expect(third).toBe('order-1')
})

test('a start that fails reports the key to continue with', async () => {
  const { client, requests } = await scriptedServer([closeConnections])
  const error = await failureOf(client.start(request))
  expect(error).toMatchObject({ code: 'connection_failed', status: 0, retryable: true, kind: 'connection' })
  expect(error.idempotencyKey).toBe(requests[0]?.headers['idempotency-key'])
  expect(requests).toHaveLength(6)
})

test('a permanent refusal is thrown at once with all its fields', async () => {
  const { client, requests } = await scriptedServer([refusal(402, 'cost_above_limit', { details: { credits: 8, maxCredits: 5 } })])
  expect(await failureOf(client.start(request))).toMatchObject({
    name: 'AtelierError',
    message: 'No: cost_above_limit.',
    code: 'cost_above_limit',
    status: 402,
    kind: 'credits',
    retryable: false,
    details: { credits: 8, maxCredits: 5 },
    requestId: 'req_1',
  })
  expect(requests).toHaveLength(1)
})

test.for([
  [400, 'request'],
  [401, 'key'],
  [402, 'credits'],
  [403, 'permission'],
  [404, 'not_found'],
  [409, 'conflict'],
  [422, 'request'],
  [429, 'rate'],
  [500, 'service'],
  [599, 'service'],
] as const)('a code of a later release under %i is of the kind %s', async ([status, kind]) => {
  const { client } = await scriptedServer([refusal(status, 'brand_new')])
  expect(await failureOf(client.getAccount())).toMatchObject({ code: 'brand_new', kind, retryable: false })
})

test('retryable decides whether a refusal is repeated, not the status', async () => {
  const passing = await scriptedServer([refusal(400, 'file_metadata_missing', { retryable: true }), started])
  await passing.client.start(request)
  expect(passing.requests).toHaveLength(2)
  const lasting = await scriptedServer([refusal(503, 'family_unavailable', { retryable: false })])
  await failureOf(lasting.client.start(request))
  expect(lasting.requests).toHaveLength(1)
})

test.for(['insufficient_credits', 'spend_limit_exceeded'])('%s is not waited for, though it may pass', async (code) => {
  const { client, requests } = await scriptedServer([refusal(402, code, { retryable: true })])
  expect(await failureOf(client.start(request))).toMatchObject({ code, retryable: true })
  expect(requests).toHaveLength(1)
})

test('no attempt is earlier than Retry-After, and without it the delay doubles', async () => {
  const late = new Date(Date.now() + 5000).toUTCString()
  const moment = refusal(429, 'rate_limited', { retryable: true, headers: { 'Retry-After': late } })
  const silent = refusal(500, 'internal_error', { retryable: true })
  const { client, pauses } = await scriptedServer([busy, moment, silent, silent, silent, account])
  await client.getAccount()
  const [first = 0, second = 0, ...others] = pauses
  expect(first).toBe(2)
  expect(second).toBeGreaterThan(3)
  expect(others).toEqual([1, 2, 4])
})

test('delays are random, and never shorter than Retry-After', async () => {
  const pauses: number[] = []
  const timing = { now: () => 0, random: () => 0.999, pause: async (seconds: number) => void pauses.push(seconds) }
  const silent = refusal(500, 'internal_error', { retryable: true })
  const { client } = await scriptedServer([busy, silent, account], { timing })
  await client.getAccount()
  expect(pauses).toEqual([expect.closeTo(2.5, 2), expect.closeTo(1, 2)])
})

test('a delay that would exceed the time limit is not started', async () => {
  const hour = refusal(429, 'rate_limited', { retryable: true, headers: { 'Retry-After': '3600' } })
  const { client, requests, pauses } = await scriptedServer([hour])
  expect(await failureOf(client.getAccount())).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 })
  expect([requests.length, pauses]).toEqual([1, []])
})

test('a foreign answer is recognised, and repeated if that is safe', async () => {
  const proxy = (status: number) => json(status, '<html>', { 'Content-Type': 'text/html' })
  const { client, requests } = await scriptedServer([proxy(502), json(503, { error: 'down' }), account])
  expect(await client.getAccount()).toEqual({ creditsAvailable: 1 })
  expect(requests).toHaveLength(3)
  const other = await scriptedServer([(response) => response.writeHead(200).end('<html>captive</html>')])
  expect(await failureOf(other.client.getAccount())).toMatchObject({ code: 'unexpected_answer', status: 200, retryable: false })
})

test('a redirect is not followed, because it would leak the key', async () => {
  const { client, requests } = await scriptedServer([(response) => response.writeHead(307, { Location: '/elsewhere' }).end()])
  expect(await failureOf(client.getAccount())).toMatchObject({ code: 'unexpected_answer' })
  expect(requests).toHaveLength(1)
})

test('an upload is repeated after a refusal, but not when its outcome is unknown', async () => {
  const lost = await scriptedServer([closeConnections])
  expect(await failureOf(lost.client.uploadFile({ url: 'https://media.example/a.png' }))).toMatchObject({ code: 'connection_failed' })
  expect(lost.requests).toHaveLength(1)
  const proxied = await scriptedServer([json(502, 'bad gateway')])
  await failureOf(proxied.client.uploadFile({ url: 'https://media.example/a.png' }))
  expect(proxied.requests).toHaveLength(1)
  const refused = await scriptedServer([busy, json(201, { fileId: 'file_1' })])
  expect(await refused.client.uploadFile({ url: 'https://media.example/a.png' })).toEqual({ fileId: 'file_1' })
})

test('a call without an answer ends at its time limit', async () => {
  const { client } = await scriptedServer([silence], { timeoutSeconds: 0.05 })
  expect(await failureOf(client.getAccount())).toMatchObject({ code: 'timed_out', status: 0, retryable: true })
})

test('a signal ends a call with its reason: before the call, during an attempt, and between attempts', async () => {
  const reason = new Error('enough')
  const { client, requests } = await scriptedServer([account])
  await expect(client.getAccount({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(requests).toHaveLength(0)

  const waiting = new AbortController()
  const hanging = await scriptedServer([() => waiting.abort(reason)])
  await expect(hanging.client.getAccount({ signal: waiting.signal })).rejects.toBe(reason)

  const pausing = new AbortController()
  const down = await scriptedServer([busy, account], { timing: { now: () => 0, random: () => 0, pause: realPause } })
  const call = down.client.getAccount({ signal: pausing.signal })
  function realPause(_: number, signal?: AbortSignal): Promise<void> {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      pausing.abort(reason)
    })
  }
  await expect(call).rejects.toBe(reason)
  expect(down.requests).toHaveLength(1)
})

test('a real delay ends with its signal and leaves no timer', async () => {
  const { realTiming } = await import('../../../clients/typescript/src/http/timing.ts')
  const controller = new AbortController()
  const pause = realTiming.pause(3600, controller.signal)
  controller.abort(new Error('enough'))
  await expect(pause).rejects.toThrow('enough')
  await expect(realTiming.pause(3600, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  await realTiming.pause(0)
})

test('an invalid address or key is refused before anything is sent', async () => {
  const { Atelier } = await import('../../../clients/typescript/src/index.ts')
  for (const baseUrl of ['service', 'ftp://service/', 'http://service/?a=1']) {
    expect(() => new Atelier({ baseUrl, key: 'atl_key' })).toThrow(TypeError)
  }
  for (const key of ['', 'atl key', 'atl\n']) expect(() => new Atelier({ baseUrl: 'http://service', key })).toThrow(TypeError)
})
