import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'

const app = await testApp()
afterAll(app.close)
const small = await testApp({ databaseUrl: app.databaseUrl, clock: app.clock, settings: { requestsPerMinute: 5, openGenerationsMax: 3 } })
afterAll(small.close)
const { services } = app
const operator = aServiceContext(services)

const image = (more: object = {}) => ({ familyId: 'sandbox-image', prompt: 'a lighthouse', ...more })
const video = (more: object = {}) => ({ familyId: 'sandbox-video', prompt: 'waves', parameters: { durationSeconds: 1 }, ...more })

type Place = { status: number; generation?: { generationId: string; replayed: boolean }; error?: { code: string; details?: object } }

async function batch(key: string, body: unknown, name?: string, by = app) {
  const answer = await by.ask('POST /generations/batch', { key, body, headers: name === undefined ? {} : { 'idempotency-key': name } })
  return { ...answer, places: (answer.body.items ?? []) as unknown as Place[] }
}

const codes = (places: Place[]) => places.map(({ status, error }) => error?.code ?? status)
const history = async (key: string) => (await app.ask('GET /generations', { key })).body.items

test('each item is answered in its place, as its own start would be', async () => {
  const { value: key, context } = await aTeamWithKey(services, { credits: 10 })
  const items = [
    image({ reference: 'first' }),
    { prompt: 'no family' },
    { familyId: 'unknown' },
    image({ imageIds: ['file_00000000000000000000000000'] }),
    image({ axes: { version: 'pro' }, maxCredits: 5 }),
    'no object',
    null,
    image({ __proto__x: 1 }),
    image({ reference: 'last', metadata: { project: 'harbour' } }),
  ]
  const { status, places } = await batch(key, { items })
  expect(status).toBe(200)
  expect(codes(places)).toEqual([
    201,
    'invalid_request',
    'family_not_found',
    'file_not_found',
    'cost_above_limit',
    'invalid_request',
    'invalid_request',
    'invalid_request',
    201,
  ])
  for (const [index, item] of items.entries()) {
    if (typeof item === 'string' || item === null) continue
    const { status: alone, body } = await app.ask('POST /generations', { key, body: item })
    const { error, generation } = places[index] ?? {}
    expect([places[index]?.status, error, Object.keys(generation ?? {}).toSorted()]).toEqual([
      alone,
      body.error,
      alone === 201 ? Object.keys(body).toSorted() : [],
    ])
  }
  expect(places[8]?.generation).toMatchObject({ reference: 'last', state: 'queued', creditsHeld: 1, replayed: false, source: 'rest' })
  expect(await checkBooks(context)).toMatchObject({ clean: true })
})

test('credits are held in the order of the items', async () => {
  const { value: key, context } = await aTeamWithKey(services, { credits: 4 })
  const { places } = await batch(key, { items: [image(), video(), video(), image(), image()] })
  expect(codes(places)).toEqual([201, 201, 'insufficient_credits', 201, 'insufficient_credits'])
  expect(places[2]).toMatchObject({ status: 402, error: { retryable: true, details: { credits: 2 } } })
  expect(await checkBooks(context)).toMatchObject({ clean: true })
})

test('maxCredits bounds the sum of what is started, in order', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 100 })
  const { places } = await batch(key, { items: [image(), video(), { familyId: 'unknown' }, video(), image(), image()], maxCredits: 4 })
  expect(codes(places)).toEqual([201, 201, 'family_not_found', 'cost_above_limit', 201, 'cost_above_limit'])
  expect(places[3]?.error).toMatchObject({ details: { credits: 2, maxCredits: 1 } })
  expect(places[5]?.error).toMatchObject({ details: { credits: 1, maxCredits: 0 } })
  expect(codes((await batch(key, { items: [image()], maxCredits: 0 })).places)).toEqual(['cost_above_limit'])
})

test('a repeat with the same key starts only what was not started', async () => {
  const { value: key, team, context } = await aTeamWithKey(services, { credits: 2 })
  const items = [image(), { familyId: 'unknown' }, video(), image()]
  const body = { items, maxCredits: 4 }
  const first = await batch(key, body, 'nightly')
  expect(codes(first.places)).toEqual([201, 'family_not_found', 'insufficient_credits', 201])
  await grantCredits(operator, { teamId: team.id, credits: 10, note: 'more', idempotencyKey: `more-${team.id}` })
  const second = await batch(key, body, 'nightly')
  expect(codes(second.places)).toEqual([201, 'family_not_found', 201, 201])
  expect(second.places.map(({ generation }) => generation?.replayed)).toEqual([true, undefined, false, true])
  const third = await batch(key, body, 'nightly')
  expect(third.places.map(({ generation }) => generation?.generationId)).toEqual(
    second.places.map(({ generation }) => generation?.generationId),
  )
  expect(await history(key)).toHaveLength(3)
  expect(await checkBooks(context)).toMatchObject({ clean: true })
})

test('a started place is replayed even where the sum is now used up by an earlier one', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 100 })
  const first = await batch(key, { items: [{ familyId: 'unknown' }, image()], maxCredits: 1 }, 'sum')
  expect(codes(first.places)).toEqual(['family_not_found', 201])
  const second = await batch(key, { items: [image(), image()], maxCredits: 1 }, 'sum')
  expect(second.places[1]?.generation).toMatchObject({ generationId: first.places[1]?.generation?.generationId, replayed: true })
})

test('all runs of a batch together start no more than its maxCredits', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 100 })
  const items = [image({ axes: { version: 'pro' } }), image(), image()]
  expect(codes((await batch(key, { items, maxCredits: 2 }, 'nightly')).places)).toEqual(['cost_above_limit', 201, 201])
  const { places } = await batch(key, { items, maxCredits: 9 }, 'nightly')
  expect(codes(places)).toEqual(['cost_above_limit', 201, 201])
  expect(places.map(({ generation }) => generation?.replayed)).toEqual([undefined, true, true])
  expect(codes((await batch(key, { items, maxCredits: 10 }, 'nightly')).places)).toEqual([201, 201, 201])
})

test('concurrent repeats start each item once', async () => {
  const { value: key, context } = await aTeamWithKey(services, { credits: 100 })
  const body = { items: Array.from({ length: 20 }, (_, index) => image({ reference: `r${index}` })) }
  const answers = await Promise.all([1, 2, 3].map(() => batch(key, body, 'same')))
  for (const { places } of answers) {
    for (const [index, { status, error }] of places.entries()) {
      expect([index, error?.code ?? status]).toEqual([index, expect.toBeOneOf([201, 'idempotency_in_progress'])])
    }
  }
  expect(codes((await batch(key, body, 'same')).places)).toEqual(Array.from({ length: 20 }, () => 201))
  const started = (await history(key)).map(({ reference }) => String(reference))
  expect(new Set(started)).toEqual(new Set(body.items.map((_, index) => `r${index}`)))
  expect(started).toHaveLength(20)
  expect(await checkBooks(context)).toMatchObject({ clean: true })
})

test('the key belongs to places: another body conflicts in its place alone, and keys of single starts are others', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 100 })
  await batch(key, { items: [image(), image()] }, 'night')
  const changed = await batch(key, { items: [image(), video(), image()] }, 'night')
  expect(codes(changed.places)).toEqual([201, 'idempotency_conflict', 201])
  expect(changed.places[1]?.error).toMatchObject({ details: { idempotencyKey: 'night' } })
  expect(changed.places.map(({ generation }) => generation?.replayed)).toEqual([true, undefined, false])
  expect(await app.ask('POST /generations', { key, body: video(), headers: { 'idempotency-key': 'night' } })).toMatchObject({ status: 201 })
})

test('each item counts towards the rate, and the items beyond it are refused in their places', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 100 })
  const body = { items: [image(), image(), image({ prompt: '' }), image()] }
  const first = await batch(key, body, 'rate', small)
  expect([codes(first.places), first.headers['x-ratelimit-remaining']]).toEqual([[201, 201, 'invalid_parameters', 201], '1'])
  await app.clock.advance(60_000)
  await small.ask('GET /account', { key })
  await small.ask('GET /account', { key })
  const second = await batch(key, { items: Array.from({ length: 6 }, () => video()) }, 'rest', small)
  expect(codes(second.places)).toEqual([201, 201, 201, 'rate_limited', 'rate_limited', 'rate_limited'])
  expect(second.places[3]).toMatchObject({ status: 429, error: { retryable: true, details: { limit: 5, retryAfterSeconds: 60 } } })
  expect((await batch(key, body, 'rate', small)).body.error).toMatchObject({ code: 'rate_limited' })
})

test('open work is limited for each item', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 100 })
  await app.clock.advance(60_000)
  expect(codes((await batch(key, { items: [image(), image(), image(), image(), video()] }, undefined, small)).places)).toEqual([
    201,
    201,
    201,
    'too_many_open',
    201,
  ])
})

test.each([
  [{}, 'items', 'required'],
  [{ items: [] }, 'items', 'too_small'],
  [{ items: Array.from({ length: 51 }, () => image()) }, 'items', 'too_big'],
  [{ items: {} }, 'items', 'wrong_type'],
  [{ items: [image()], maxCredits: -1 }, 'maxCredits', 'too_small'],
  [{ items: [image()], maxCredits: '1' }, 'maxCredits', 'wrong_type'],
  [{ items: [image()], wait: 1 }, 'wait', 'unknown_field'],
])('a faulty envelope is refused as a whole: %#', async (body, path, code) => {
  const { value: key } = await aTeamWithKey(services)
  const answer = await batch(key, body)
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', details: { issues: [{ path: [path], code }] } } } })
  expect(await history(key)).toEqual([])
})

test('50 items start together; a body above 256 KiB, a query and a faulty key are refused', async () => {
  const { value: key, context } = await aTeamWithKey(services, { credits: 100 })
  const { places } = await batch(key, { items: Array.from({ length: 50 }, () => image()) })
  expect(codes(places)).toEqual(Array.from({ length: 50 }, () => 201))
  expect(await checkBooks(context)).toMatchObject({ clean: true })
  const long = { items: Array.from({ length: 20 }, () => image({ prompt: 'x'.repeat(15_000) })) }
  expect(await batch(key, long)).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } })
  expect(await app.ask('POST /generations/batch?wait=1', { key, body: { items: [image()] } })).toMatchObject({ status: 400 })
  expect(await batch(key, { items: [image()] }, 'ü')).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
})

test('a batch needs a key with generations:write', async () => {
  const { team, user } = await aTeamWithKey(services)
  const { value } = await issueKey(operator, { teamId: team.id, userId: user.id, name: 'reader', scopes: ['generations:read'] })
  expect(await batch(value, { items: [image()] })).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
  expect(await app.ask('POST /generations/batch', { body: { items: [image()] } })).toMatchObject({ status: 401 })
})
