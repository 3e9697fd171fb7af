import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { firstIdAt } from '../../../src/contract/ids.ts'
import { dailyUsageOf, timedPerDay } from '../../../src/domain/credits/dailyUsage.ts'
import { sumUpUsage } from '../../../src/domain/credits/usageSums.ts'
import { pagesRead, planModes } from '../../support/database/pagesRead.ts'
import { aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { issueOf } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const span = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-03-04T00:00:00.000Z') }

/** Counts ended generations as the trigger does. */
async function counted({ spender, key }: TeamWithKey, day: string, family: string, [ready, failed, charged]: number[], byKey = true) {
  await services.pool.query(
    'insert into usage_days (account_id, owner_id, day, key_id, family_id, ready, failed, charged) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [spender.accountId, spender.ownerId, day, byKey ? key.id : null, family, ready, failed, charged],
  )
}

/** Stores ready generations that began on a day and took these seconds, oldest first. */
async function ran({ spender, key }: TeamWithKey, day: string, seconds: number[], change: { accountId?: string; keyId?: string } = {}) {
  const ids = seconds.map(
    (_, at) =>
      firstIdAt('gen', new Date(Date.parse(day) + 1000 * at)).slice(0, -16) +
      randomUUID()
        .replaceAll('-', '')
        .replaceAll(/[ilou]/g, 'x')
        .slice(0, 16),
  )
  await services.pool.query(
    `insert into generations (id, owner_id, account_id, key_id, source, state, family_id, output_type, price, credits_charged, result, created_at, started_at, finished_at)
       select id, $1, $2, $3, 'rest', 'ready', 'sandbox-image', 'image', 100, 100, '{}', $4::timestamptz, $4::timestamptz + seconds / 4 * interval '1 second', $4::timestamptz + seconds * interval '1 second'
         from unnest($5::text[], $6::double precision[]) as made (id, seconds)`,
    [spender.ownerId, change.accountId ?? spender.accountId, change.keyId ?? key.id, `${day}T00:00:00Z`, ids, seconds],
  )
}

const own = await aTeamWithKey(services)
const other = await aTeamWithKey(services)
await counted(own, '2026-02-28', 'sandbox-image', [9, 9, 900])
await counted(own, '2026-03-01', 'sandbox-image', [2, 1, 200])
await counted(own, '2026-03-01', 'sandbox-video', [1, 0, 500])
await counted(own, '2026-03-03', 'sandbox-image', [3, 0, 300], false)
await counted(other, '2026-03-01', 'sandbox-image', [7, 7, 700])
await ran(own, '2026-03-01', [1, 2, 3, 4, 100])
await ran(other, '2026-03-01', [50])
// Over MCP a key of the team spends the credits of its issuer.
await ran(own, '2026-03-01', [900], { accountId: other.spender.accountId })

test('a key has its own days: what ended, what it cost, and how long ready generations took', async () => {
  expect(await dailyUsageOf(own.context, own.spender, { ...span, keyId: own.key.id })).toEqual([
    {
      ...{ day: '2026-03-01', generations: 4, ready: 3, failed: 1, cancelled: 0, charged: 700 },
      ...{ timed: 5, medianSeconds: 3, p95Seconds: expect.closeTo(80.8) },
      ...{ medianQueueSeconds: 0.75, p95QueueSeconds: expect.closeTo(20.2), medianRunSeconds: 2.25, p95RunSeconds: expect.closeTo(60.6) },
    },
  ])
})

test('a family has its own days over all keys, before and after the days are summed up', async () => {
  const asked = () => dailyUsageOf(own.context, own.spender, { ...span, familyId: 'sandbox-image' })
  const expected = [
    { day: '2026-03-01', generations: 3, ready: 2, failed: 1, charged: 200, timed: 5, medianSeconds: 3 },
    { day: '2026-03-03', generations: 3, ready: 3, failed: 0, charged: 300, timed: 0, medianSeconds: null, p95Seconds: null },
  ]
  expect(await asked()).toMatchObject(expected)
  await sumUpUsage(own.context, () => false)
  expect(await asked()).toMatchObject(expected)
})

test('nothing of another team is read, and at most the newest 200 generations of a day', async () => {
  expect(await dailyUsageOf(own.context, own.spender, { ...span, keyId: other.key.id })).toEqual([])
  const busy = await aTeamWithKey(services)
  await counted(busy, '2026-03-02', 'sandbox-image', [250, 0, 250])
  await ran(busy, '2026-03-02', [...Array.from({ length: 50 }, () => 1000), ...Array.from({ length: timedPerDay }, () => 1)])
  expect(await dailyUsageOf(busy.context, busy.spender, { ...span, keyId: busy.key.id })).toMatchObject([
    { generations: 250, timed: timedPerDay, medianSeconds: 1, p95Seconds: 1 },
  ])
})

test.each(planModes)('a day of many generations costs the pages of the newest 200, by %s', async (planMode) => {
  const busy = await aTeamWithKey(services)
  const before = await aTeamWithKey(services)
  for (const each of [before, busy]) {
    await counted(each, '2026-03-02', 'sandbox-image', [4000, 0, 4000])
    await ran(
      each,
      '2026-03-02',
      Array.from({ length: 4000 }, () => 1),
    )
  }
  await services.pool.query('analyze generations')
  for (const one of [{ keyId: busy.key.id }, { familyId: 'sandbox-image' }]) {
    const read = await pagesRead(busy.context, { table: 'generations', planMode }, (inside) =>
      dailyUsageOf(inside, busy.spender, { ...span, ...one }),
    )
    // 200 rows are beside each other here; 4,000 have over 100 pages.
    expect(read).toBeLessThanOrEqual(50)
  }
})

test.each([
  [{}, 'keyId: not_allowed'],
  [{ keyId: 'key', familyId: 'family' }, 'keyId: not_allowed'],
  [{ keyId: '' }, 'keyId: not_allowed'],
  [{ keyId: 'key', to: span.from }, 'to: too_small'],
  [{ keyId: 'key', to: new Date('2026-09-01T00:00:00.000Z') }, 'to: too_big'],
])('the request %j is refused', async (asked, issue) => {
  expect(await issueOf(dailyUsageOf(own.context, own.spender, { ...span, ...asked }))).toBe(issue)
})
