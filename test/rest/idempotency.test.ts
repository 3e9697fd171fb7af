import { afterAll, expect, test } from 'vitest'
import { setFamilyAvailability } from '../../src/domain/access/availability/setFamilyAvailability.ts'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)

const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
let names = 0
const aName = () => `start-${++names}`

const start = (key: string, name: string, body: unknown = work) =>
  app.ask('POST /generations', { key, body, headers: { 'idempotency-key': name } })

async function generationsOf(key: string): Promise<number> {
  return (await app.ask('GET /generations', { key })).body.items.length
}

test('a repeat starts nothing and returns the first response with its Location', async () => {
  const { value: key } = await aTeamWithKey(services)
  const name = aName()
  const first = await start(key, name)
  const again = await start(key, name)
  expect(first).toMatchObject({ status: 201, body: { replayed: false, state: 'queued', creditsHeld: 1 } })
  expect(again).toMatchObject({ status: 201, body: { ...first.body, replayed: true } })
  expect(again.headers['location']).toBe(`/api/v1/generations/${first.body.generationId}`)
  expect(first.headers['location']).toBe(again.headers['location'])
  expect(await generationsOf(key)).toBe(1)
})

test('without a key every request starts a generation', async () => {
  const { value: key } = await aTeamWithKey(services)
  await Promise.all([1, 2, 3].map(() => app.ask('POST /generations', { key, body: work })))
  expect(await generationsOf(key)).toBe(3)
})

test('the order of fields, white space and escapes do not change the request; other differences do', async () => {
  const { value: key } = await aTeamWithKey(services)
  const name = aName()
  await start(key, name, '{"familyId":"sandbox-image","prompt":"a lighthouse","parameters":{"width":64,"height":65}}')
  const same = ' {"parameters" : {"height":65.0,"width":6.4e1},\n"prompt":"\\u0061 lighthouse","familyId":"sandbox-image"}'
  expect(await start(key, name, same)).toMatchObject({ status: 201, body: { replayed: true } })
  for (const other of [
    { ...work, prompt: 'another' },
    { ...work, parameters: { width: 64, height: 66 } },
    { ...work, maxCredits: 5 },
    { ...work, axes: {} },
    { ...work, imageIds: [] },
  ]) {
    expect(await start(key, name, other)).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_conflict', retryable: false, details: { idempotencyKey: name } } },
    })
  }
})

test('of 30 concurrent starts with one key one starts, and the others repeat it or get idempotency_in_progress', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 5 })
  const name = aName()
  const answers = await Promise.all(Array.from({ length: 30 }, () => start(key, name)))
  const begun = answers.filter(({ status, body }) => status === 201 && !body.replayed)
  const repeated = answers.filter(({ status, body }) => status === 201 && body.replayed)
  const early = answers.filter(({ status }) => status === 409)
  expect(begun).toHaveLength(1)
  expect(repeated.every(({ body }) => body.generationId === begun[0]?.body.generationId)).toBe(true)
  expect(begun.length + repeated.length + early.length).toBe(30)
  for (const { body, headers } of early) {
    expect(body.error).toMatchObject({ code: 'idempotency_in_progress', retryable: true, details: { retryAfterSeconds: 1 } })
    expect(headers['retry-after']).toBe('1')
  }
  expect(await start(key, name)).toMatchObject({ status: 201, body: { replayed: true } })
  expect((await app.ask('GET /account', { key })).body.creditsAvailable).toBe(4)
  expect(await generationsOf(key)).toBe(1)
})

test('while the first request is in progress, a repeat gets idempotency_in_progress', async () => {
  const { value: key, team } = await aTeamWithKey(services)
  const name = aName()
  const client = await services.pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${team.id}|${name}`])
    expect(await start(key, name)).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      body: { error: { code: 'idempotency_in_progress' } },
    })
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect(await start(key, name)).toMatchObject({ status: 201, body: { replayed: false } })
})

test('a refused start is not stored: the same request can succeed later', async () => {
  const { value: key, team } = await aTeamWithKey(services, { credits: 0 })
  const name = aName()
  expect(await start(key, name)).toMatchObject({ status: 402, body: { error: { code: 'insufficient_credits' } } })
  expect(await start(key, name, { familyId: 'nothing' })).toMatchObject({ status: 400 })
  await grantCredits(operator, { teamId: team.id, credits: 1, note: 'more', idempotencyKey: 'more' })
  expect(await start(key, name)).toMatchObject({ status: 201, body: { replayed: false } })
})

test('a repeat is returned although the family is disabled, the credits are used up, or the first generation has ended', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 1 })
  const name = aName()
  const first = await start(key, name)
  await moves.fail(first.body.generationId)
  await app.ask('POST /generations', { key, body: work })
  await setFamilyAvailability(operator, { familyId: work.familyId, available: false })
  try {
    expect(await start(key, aName())).toMatchObject({ status: 503, body: { error: { code: 'family_unavailable' } } })
    expect(await start(key, name)).toMatchObject({ status: 201, body: { ...first.body, replayed: true } })
    expect(await start(key, name, { ...work, prompt: 'another' })).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_conflict' } },
    })
  } finally {
    await setFamilyAvailability(operator, { familyId: work.familyId, available: true })
  }
  expect(await start(key, aName())).toMatchObject({ status: 402 })
})

test('a key is kept for 24 hours and free again afterwards', async () => {
  const { value: key } = await aTeamWithKey(services)
  const name = aName()
  const begunAt = clock.now()
  const first = await start(key, name)
  await clock.advance(24 * 3_600_000 - 1)
  expect(await start(key, name)).toMatchObject({ status: 201, body: { generationId: first.body.generationId, replayed: true } })
  await clock.advance(1)
  const fresh = await start(key, name, { ...work, prompt: 'another day' })
  expect(fresh).toMatchObject({ status: 201, body: { replayed: false } })
  expect(fresh.body.generationId).not.toBe(first.body.generationId)
  await clock.set(begunAt)
})

test('a key belongs to its team: all keys of the team share it, another team does not', async () => {
  const [one, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const second = await issueKey(operator, { teamId: one.team.id, name: 'second', scopes: restScopes })
  const name = aName()
  const first = await start(one.value, name)
  expect(await start(second.value, name)).toMatchObject({ status: 201, body: { generationId: first.body.generationId, replayed: true } })
  expect(await start(other.value, name)).toMatchObject({ status: 201, body: { replayed: false } })
})

test('a key has 1 to 255 printable ASCII characters and occurs once', async () => {
  const { value: key } = await aTeamWithKey(services)
  for (const name of ['!', ' a b ', 'it\'s "quoted", %20 & so; on', '~'.repeat(255)]) {
    expect((await start(key, name)).status).toBe(201)
  }
  const faulty: [value: string | string[], code: string][] = [
    ['', 'bad_format'],
    ['~'.repeat(256), 'too_long'],
    ['caf\u00e9', 'bad_format'],
    ['a\tb', 'bad_format'],
    [['one', 'two'], 'conflict'],
    [['same', 'same'], 'conflict'],
  ]
  for (const [value, code] of faulty) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': value }
    const { statusCode, payload } = await app.fastify.inject({
      method: 'POST',
      url: '/api/v1/generations',
      headers,
      payload: JSON.stringify(work),
    })
    expect(statusCode).toBe(400)
    expect(JSON.parse(payload).error).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ in: 'header', path: ['Idempotency-Key'], code }] },
    })
  }
})

test('the books balance after all tests', async () => {
  expect(await checkBooks(operator)).toEqual({ clean: true, faults: [] })
})
