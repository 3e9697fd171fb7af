import { afterAll, expect, test } from 'vitest'
import { usageDaysOf, usageOf } from '../../../src/domain/credits/usageOf.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { pagesRead, planModes } from '../../support/database/pagesRead.ts'
import { aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { endAtOnce, type WantedEnd } from '../../support/generations/generationTransitions.ts'
import { issueOf } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 1, sha256: '', width: 1, height: 1, durationSeconds: null }

/** Starts a generation at the given time and ends it in the given state. A draft image costs 1 credit, a second of turbo video 2. */
async function ran(
  { context, spender }: TeamWithKey,
  at: string,
  familyId: 'sandbox-image' | 'sandbox-video',
  to: WantedEnd['to'],
): Promise<void> {
  await clock.set(at)
  const parameters = familyId === 'sandbox-video' ? { durationSeconds: 1 } : {}
  const { generation } = await startGeneration(context, spender, {
    request: { familyId, prompt: 'a boat', parameters },
    idempotencyKey: undefined,
  })
  const endings = {
    ready: { to: 'ready', result: image },
    failed: { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } },
    cancelled: { to: 'cancelled', charged: false },
  } as const
  await endAtOnce(context, String(generation['generationId']), endings[to])
}

const span = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-04-01T00:00:00.000Z') }

test('usage sums up the generations that ended in the span, by day (UTC), by key and by family', async () => {
  const made = await aTeamWithKey(services)
  await ran(made, '2026-02-28T23:59:59.999Z', 'sandbox-image', 'ready')
  await ran(made, '2026-03-01T00:00:00.000Z', 'sandbox-image', 'ready')
  await ran(made, '2026-03-09T23:59:59.999Z', 'sandbox-image', 'ready')
  await ran(made, '2026-03-10T00:00:00.000Z', 'sandbox-video', 'ready')
  await ran(made, '2026-03-10T12:00:00.000Z', 'sandbox-image', 'failed')
  await ran(made, '2026-04-01T00:00:00.000Z', 'sandbox-image', 'ready')
  const { accountId, ownerId } = made.spender
  const usage = (by: 'day' | 'key' | 'family') => usageOf(made.context, { accountId, ownerId }, { ...span, by })
  const open = { active: 0, held: 0 }
  const zero = { failed: 0, cancelled: 0, ...open }
  expect(await usage('day')).toEqual([
    { group: '2026-03-01', generations: 1, ready: 1, ...zero, charged: 100 },
    { group: '2026-03-09', generations: 1, ready: 1, ...zero, charged: 100 },
    { group: '2026-03-10', generations: 2, ready: 1, failed: 1, cancelled: 0, charged: 200, ...open },
  ])
  expect(await usage('key')).toEqual([{ group: made.key.id, generations: 4, ready: 3, failed: 1, cancelled: 0, charged: 400, ...open }])
  expect(await usage('family')).toMatchObject([
    { group: 'sandbox-image', charged: 200, failed: 1 },
    { group: 'sandbox-video', charged: 200 },
  ])
})

test('generations of one day, key and family add up, by how they ended', async () => {
  const made = await aTeamWithKey(services)
  const ends = ['ready', 'ready', 'ready', 'failed', 'failed', 'cancelled', 'cancelled', 'cancelled', 'cancelled'] as const
  for (const to of ends) await ran(made, '2026-03-05T12:00:00.000Z', 'sandbox-image', to)
  expect(await usageOf(made.context, made.spender, { ...span, by: 'day' })).toEqual([
    { group: '2026-03-05', generations: 9, ready: 3, failed: 2, cancelled: 4, charged: 300, active: 0, held: 0 },
  ])
})

test('usage counts whole days in UTC', async () => {
  const made = await aTeamWithKey(services)
  await ran(made, '2026-03-01T00:00:00.000Z', 'sandbox-image', 'ready')
  await ran(made, '2026-03-02T23:59:59.000Z', 'sandbox-image', 'ready')
  const noons = { from: new Date('2026-03-01T12:00:00.000Z'), to: new Date('2026-03-02T12:00:00.000Z') }
  expect(await usageOf(made.context, made.spender, { ...noons, by: 'key' })).toMatchObject([{ generations: 2 }])
})

test('a span of more than 92 days is refused', async () => {
  const { context, spender } = await aTeamWithKey(services)
  const asked = (to: string) => usageOf(context, spender, { from: new Date('2026-01-01T00:00:00.000Z'), to: new Date(to), by: 'day' })
  expect(await asked('2026-04-03T00:00:00.000Z')).toEqual([])
  expect(await issueOf(asked('2026-04-03T00:00:00.001Z'))).toBe('to: too_big')
})

test('a limit returns the most expensive keys and families; days ignore it', async () => {
  const { context, spender } = await aTeamWithKey(services)
  await services.pool.query(
    `insert into usage_days (account_id, owner_id, day, key_id, family_id, ready, charged)
       select $1, $2, '2026-03-05'::date + n, case n when 3 then $3 end, 'family-' || n, 1, 100 * n from generate_series(1, 3) as n`,
    [spender.accountId, spender.ownerId, spender.keyId],
  )
  const groups = async (by: 'day' | 'key' | 'family') =>
    (await usageOf(context, spender, { ...span, by, first: 1 })).map(({ group }) => group)
  expect(await groups('key')).toEqual([spender.keyId])
  expect(await groups('family')).toEqual(['family-3'])
  expect(await groups('day')).toEqual(['2026-03-06', '2026-03-07', '2026-03-08'])
})

test('the usage of one team contains nothing of another team', async () => {
  const made = await aTeamWithKey(services)
  expect(await usageOf(made.context, made.spender, { ...span, by: 'family' })).toEqual([])
})

test.each([
  [{ from: span.to, to: span.from }, 'to: too_small'],
  [{ from: span.from, to: span.from }, 'to: too_small'],
])('the span %j is refused', async (asked, issue) => {
  const { context, spender } = await aTeamWithKey(services)
  expect(await issueOf(usageOf(context, spender, { ...asked, by: 'day' }))).toBe(issue)
})

test.each(planModes)('the days of one key or family do not read those of other keys, by %s', async (planMode) => {
  const { context, spender, key } = await aTeamWithKey(services)
  await services.pool.query(
    `insert into usage_days (account_id, owner_id, day, key_id, family_id, ready, failed, charged)
       select $1, $2, day, case number when 0 then $3 end, 'family-' || number, 1, 0, 100
         from generate_series('2026-03-01'::date, '2026-03-31', interval '1 day') as day cross join generate_series(0, 999) as number`,
    [spender.accountId, spender.ownerId, key.id],
  )
  await services.pool.query('analyze usage_days')
  const read = await pagesRead(context, { table: 'usage_days', planMode }, async (inside) => {
    const days = await usageDaysOf(inside, spender, { keyId: key.id }, span)
    expect(days.map(({ ready }) => ready)).toEqual(Array(31).fill(1))
  })
  expect(read).toBeLessThan(400)
})
