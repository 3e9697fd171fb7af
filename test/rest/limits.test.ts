import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { recordEditorGeneration } from '../../src/domain/generations/start/recordEditorGeneration.ts'
import { makeApiKey } from '../../src/secrets/apiKeyText.ts'
import { type Answered, type TestApp, testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'
import { endAtOnce } from '../support/generations/generationTransitions.ts'
import { opened } from '../support/http/rawSocket.ts'

/** The numbers that everybody has unless an operator sets others. */
const usual = { requestsPerMinute: 600, requestsInProgress: 32 }
const serviceToken = 'a-service-token-of-more-than-32-characters'
const one = await testApp({ settings: usual, serviceToken })
const two = await testApp({ settings: usual, databaseUrl: one.databaseUrl, clock: one.clock })
afterAll(async () => {
  await two.close()
  await one.close()
})
const operator = aServiceContext(one.services)

const statuses = (answers: Answered[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  )
const times = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
/** The clock stands; a minute later everybody starts anew. */
const nextMinute = () => one.clock.advance(60_000)

/** How many requests of a user all processes together are serving, by their own count. */
async function slotsOf(userId: string): Promise<number> {
  const { rows } = await one.services.pool.query<{ slots: number }>(
    `select coalesce(sum(value::integer), 0)::integer as slots from request_counts, jsonb_each_text(in_progress) where subject = $1`,
    [`user:${userId}`],
  )
  return rows[0]?.slots ?? 0
}

test('a user can make 600 requests a minute over all keys and processes, then gets Retry-After', async () => {
  await nextMinute()
  const made = await aTeamWithKey(one.services)
  const second = await issueKey(operator, { teamId: made.team.id, userId: made.user.id, name: 'second', scopes: restScopes })
  const answers: Answered[] = []
  for (let round = 0; round < 31; round++) {
    answers.push(
      ...(await times(20, (n) => (n % 2 ? one : two).ask('GET /families/sandbox-image', { key: n % 3 ? made.value : second.value }))),
    )
  }
  expect(statuses(answers)).toEqual({ 200: 600, 429: 20 })
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body.error).toMatchObject({ code: 'rate_limited', retryable: true, details: { limit: 600, retryAfterSeconds: 60 } })
  expect(refused?.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '0' })
  const remaining = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).toSorted((left, right) => right - left)
  expect(remaining.slice(0, 600)).toEqual(Array.from({ length: 600 }, (_, index) => 599 - index))
  const stranger = await aTeamWithKey(one.services)
  expect((await one.ask('GET /account', { key: stranger.value })).status).toBe(200)
  await one.clock.advance(Number(refused?.headers['retry-after']) * 1000)
  expect(await one.ask('GET /account', { key: made.value })).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '599' } })
})

test('without a valid key requests count by address, and beyond the limit they get 429 instead of 401', async () => {
  await nextMinute()
  const answers: Answered[] = []
  for (let round = 0; round < 61; round++) {
    answers.push(...(await times(10, (n) => (n % 2 ? one : two).ask('GET /account', n % 3 ? {} : { key: makeApiKey().value }))))
  }
  expect(statuses(answers)).toEqual({ 401: 600, 429: 10 })
  expect(statuses([await one.ask('GET /nothing'), await one.ask('PUT /account'), await one.ask('GET /families/%ZZ')])).toEqual({ 429: 3 })
  const query = { headers: { 'content-type': 'application/json' }, body: { query: '{ __typename }' } }
  expect((await one.ask('POST //graphql', query)).status).toBe(429)
  expect((await one.ask('POST //graphql', { ...query, key: serviceToken })).status).toBe(200)
  expect((await one.ask('GET //healthz')).status).toBe(200)
  const { value } = await aTeamWithKey(one.services)
  expect((await one.ask('GET /account', { key: value })).status).toBe(200)
  await nextMinute()
})

test('32 requests are in progress at once, waits included, over all keys and processes', async () => {
  await nextMinute()
  const made = await aTeamWithKey(one.services)
  const second = await issueKey(operator, { teamId: made.team.id, userId: made.user.id, name: 'second', scopes: restScopes })
  const started = await one.ask('POST /generations', { key: made.value, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  const path = `/api/v1/generations/${started.body.generationId}?wait=60`
  // The slot of the start comes back a moment after its answer.
  await vi.waitFor(async () => expect(await slotsOf(made.user.id)).toBe(0), { interval: 5 })
  const sockets = await times(32, async (n) => {
    const socket = await opened((n % 2 ? one : two).port)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${n % 3 ? made.value : second.value}\r\n\r\n`)
    return socket
  })
  const probe = (app: TestApp, key = made.value) => app.ask('GET /account', { key })
  await vi.waitFor(async () => expect(await slotsOf(made.user.id)).toBe(32), { interval: 5 })
  for (const refused of [await probe(one), await probe(two), await probe(two, second.value)]) {
    expect(refused.body.error).toMatchObject({ code: 'too_many_concurrent', retryable: true, details: { limit: 32, retryAfterSeconds: 1 } })
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'x-concurrency-limit': '32', 'x-concurrency-remaining': '0' })
  }
  for (const socket of sockets.slice(0, 3)) socket.destroy()
  // Long before the end of their waits, which last a minute.
  await vi.waitFor(async () => expect(await slotsOf(made.user.id)).toBe(29), { interval: 5 })
  expect(await probe(one)).toMatchObject({ status: 200, headers: { 'x-concurrency-remaining': '2' } })
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => expect(await slotsOf(made.user.id)).toBe(0), { timeout: 1000, interval: 5 })
})

test('of 50 concurrent requests at most 32 are accepted, and every slot is released', async () => {
  await nextMinute()
  const { value: key, user } = await aTeamWithKey(one.services)
  const answers = await times(50, () => one.ask('GET /families', { key }))
  expect(statuses(answers)).toEqual({ 200: 32, 429: 18 })
  await vi.waitFor(async () => expect(await slotsOf(user.id)).toBe(0), { interval: 5 })
})

test('a start beyond the open generations of its team and family waits for one to end; other families, other teams and repeats do not', async () => {
  await nextMinute()
  const narrow = await testApp({ databaseUrl: one.databaseUrl, settings: { openGenerationsMax: 2 } })
  onTestFinished(narrow.close)
  const [{ value: key, context, team, user }, other] = [await aTeamWithKey(one.services), await aTeamWithKey(one.services)]
  const start = (familyId: string, options: Parameters<TestApp['ask']>[1] = {}) =>
    narrow.ask('POST /generations', { key, body: { familyId, prompt: 'a lighthouse' }, ...options })
  const editor = { teamId: team.id, userId: user.id, familyId: 'sandbox-image', outputType: 'image', state: 'running' } as const
  for (let count = 0; count < 3; count++) await recordEditorGeneration(operator, editor)
  const first = await start('sandbox-image', { headers: { 'idempotency-key': 'first' } })
  expect([first.status, (await start('sandbox-image')).status]).toEqual([201, 201])
  const refused = await start('sandbox-image')
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '10' },
    body: { error: { code: 'too_many_open', retryable: true, details: { limit: 2, retryAfterSeconds: 10 } } },
  })
  expect((await start('sandbox-image', { headers: { 'idempotency-key': 'first' } })).body.generationId).toBe(first.body.generationId)
  expect((await start('sandbox-image', { key: other.value })).status).toBe(201)
  expect((await start('sandbox-audio')).status).toBe(201)
  await endAtOnce(context, first.body.generationId, { to: 'failed', failure: { code: 'internal_error', reason: 'storage_failed' } })
  expect((await start('sandbox-image')).status).toBe(201)
  expect((await start('sandbox-image')).status).toBe(429)
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
})

test('every response has the headers of both limits', async () => {
  await nextMinute()
  const { value: key } = await aTeamWithKey(one.services)
  const asked: [what: string, asked: Parameters<TestApp['ask']>[1], status: number][] = [
    ['GET /families', { key }, 200],
    ['POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'x' } }, 201],
    ['GET /families/nothing', { key }, 400],
    ['GET /account', {}, 401],
    ['GET /account', { key: 'atl_nothing' }, 401],
    ['GET /generations/nothing', { key }, 404],
    ['GET /nothing', {}, 404],
    ['DELETE /account', { key }, 405],
    ['POST /generations', { key, headers: { 'content-type': 'text/plain' }, body: 'x' }, 415],
    ['POST /generations', { key, body: 'x'.repeat(300_000) }, 413],
    ['GET /families/%ZZ', { key }, 400],
    ['GET //r/nothing', {}, 404],
    ['GET //healthz', {}, 200],
    ['POST //graphql', { body: { query: '{ __typename }' } }, 401],
  ]
  for (const [what, given, status] of asked) {
    const answer = await one.ask(what, given)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_[0-9a-z]{26}$/),
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': String(Math.floor(one.clock.now().getTime() / 60_000) * 60 + 60),
      ratelimit: expect.stringMatching(/^"default";r=\d+;t=\d+$/),
      'ratelimit-policy': '"default";q=600;w=60',
      'x-concurrency-limit': '32',
      'x-concurrency-remaining': expect.stringMatching(/^\d+$/),
    })
  }
})

test("a request identifier is the server's own, whatever the client sends", async () => {
  await nextMinute()
  const { value: key } = await aTeamWithKey(one.services)
  const headers = { 'x-request-id': 'mine', 'request-id': 'mine', traceparent: '00-mine' }
  const seen = await times(10, async () => (await one.ask('GET /account', { key, headers })).headers['x-request-id'])
  expect(new Set(seen).size).toBe(10)
  const logged = one.logged.filter(({ message }) => message === 'request').map(({ fields }) => (fields as { requestId: string }).requestId)
  expect(logged).toEqual(expect.arrayContaining(seen))
})
