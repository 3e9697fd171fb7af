import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { transaction } from '../../../src/domain/context.ts'
import { usageByDay } from '../../../src/domain/credits/usageByDay.ts'
import { usageOf } from '../../../src/domain/credits/usageOf.ts'
import { sumUpUsage } from '../../../src/domain/credits/usageSums.ts'
import { type Statement, statement } from '../../../src/domain/sql.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const { pool } = services
const context = aServiceContext(services)

const firstDay = Date.parse('2026-01-01')
const dayMs = 86_400_000
const dayOf = (number: number) => new Date(firstDay + number * dayMs)

async function aTeamWithKeys() {
  const made = await aTeamWithKey(services)
  const { apiKey } = await issueKey(context, { teamId: made.team.id, userId: made.user.id, name: 'other', scopes: [] })
  return { ...made, keys: [made.key.id, apiKey.id, null] }
}
const { spender, keys } = await aTeamWithKeys()
const { accountId, ownerId } = spender

type Row = { day: number; key: number; family: 'kite' | 'boat'; counts: number[]; charged: number }

async function insert(rows: readonly Row[]): Promise<void> {
  for (const { day, key, family, counts, charged } of rows) {
    await pool.query(
      `insert into usage_days as u (account_id, owner_id, day, key_id, family_id, ready, failed, cancelled, charged)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict on constraint usage_days_once do update set ready = u.ready + excluded.ready, failed = u.failed + excluded.failed,
           cancelled = u.cancelled + excluded.cancelled, charged = u.charged + excluded.charged`,
      [accountId, ownerId, dayOf(day), keys[key], family, ...counts, charged],
    )
  }
}

async function forgetSums(): Promise<void> {
  await pool.query('delete from usage_sums; delete from usage_weeks_of_keys; delete from usage_summed')
}

const groups = ['day', 'key', 'family'] as const

/** All answers about the span, with the sums as they are. */
async function answers(span: { from: Date; to: Date }): Promise<unknown[]> {
  const usage = await Promise.all(groups.map((by) => usageOf(context, { accountId, ownerId }, { ...span, by })))
  const split = await Promise.all(
    (['key', 'family'] as const).map((by) => usageByDay(context, { accountId, ownerId }, { ...span, by, first: 1 })),
  )
  return [...usage, ...split]
}

const days = 120
const aRow = fc.record({
  day: fc.nat(days - 1),
  key: fc.nat(2),
  family: fc.constantFrom('kite', 'boat'),
  counts: fc.array(fc.nat(5), { minLength: 3, maxLength: 3 }),
  charged: fc.nat(1000),
})
const aSpan = fc
  .tuple(fc.nat(days - 1), fc.integer({ min: 1, max: 92 }))
  .map(([from, length]) => ({ from: dayOf(from), to: dayOf(from + length) }))

test('usage is the plain sum of its days, wherever the sums of days that are over end', async () => {
  const property = fc.asyncProperty(
    fc.array(aRow, { maxLength: 40 }),
    fc.array(fc.nat(days + 10), { minLength: 1, maxLength: 3 }),
    fc.array(aSpan, { minLength: 3, maxLength: 3 }),
    async (rows, moments, spans) => {
      await forgetSums()
      await pool.query('delete from usage_days')
      await insert(rows)
      const plain = await Promise.all(spans.map(answers))
      for (const moment of moments.toSorted((one, other) => one - other)) {
        await clock.set(dayOf(moment).toISOString())
        await sumUpUsage(context, () => false)
        expect(await Promise.all(spans.map(answers))).toEqual(plain)
      }
    },
  )
  await fc.assert(property, { numRuns: 15 })
})

test('days whose ends may still commit are read from their rows', async () => {
  await forgetSums()
  await pool.query('delete from usage_days')
  await clock.set(dayOf(50).toISOString())
  const row = { key: 0, family: 'kite', counts: [1, 0, 0], charged: 100 } as const
  await insert([48, 49, 50].map((day) => ({ ...row, day, counts: [...row.counts] })))
  await sumUpUsage(context, () => false)
  await insert([49, 50].map((day) => ({ ...row, day, counts: [...row.counts] })))
  const span = { from: dayOf(48), to: dayOf(51) }
  expect((await usageOf(context, { accountId, ownerId }, { ...span, by: 'day' })).map(({ ready }) => ready)).toEqual([1, 2, 2])
  expect(await usageOf(context, { accountId, ownerId }, { ...span, by: 'key' })).toMatchObject([{ ready: 5, charged: 500 }])
})

test('one statement sums up a few weeks of an account, so that a long backlog exceeds no time limit', async () => {
  await forgetSums()
  await pool.query('delete from usage_days')
  const row = { key: 0, family: 'kite', counts: [1, 0, 0], charged: 100 } as const
  await insert([3, 40, 95].map((day) => ({ ...row, day, counts: [...row.counts] })))
  await clock.set(dayOf(100).toISOString())
  const untils: unknown[] = []
  for (let step = 0; step < 4; step += 1) {
    await sumUpUsage(context, () => true)
    const { rows } = await pool.query<{ day: number }>(`select until - '2026-01-01'::date as day from usage_summed where account_id = $1`, [
      accountId,
    ])
    untils.push(rows[0]?.day)
  }
  expect(untils).toEqual([31, 68, 99, 99])
  expect((await usageOf(context, { accountId, ownerId }, { from: dayOf(0), to: dayOf(92), by: 'day' })).map(({ ready }) => ready)).toEqual([
    1, 1,
  ])
})

const rowsRead: Statement<{ rows: number }> = statement(
  'rows_read_of_usage_days',
  `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::integer as rows from pg_stat_xact_user_tables where relname like 'usage_%'`,
)

test('the usage of a long span reads a small part of the rows of many families and keys', async () => {
  await forgetSums()
  await pool.query('delete from usage_days')
  await clock.set(dayOf(100).toISOString())
  // 91 days of two keys and twenty families.
  await pool.query(
    `insert into usage_days (account_id, owner_id, day, key_id, family_id, ready)
       select $1, $2, $3::date + n, k.id, 'family-' || f, 1 from generate_series(0, 90) as n, api_keys k, generate_series(1, 20) as f where k.team_id = $2`,
    [accountId, ownerId, dayOf(9)],
  )
  await sumUpUsage(context, () => false)
  await pool.query('analyze usage_days, usage_sums, usage_weeks_of_keys')
  await transaction(context, async (inside) => {
    for (const { by, max } of [
      { by: 'family', max: 20 * 91 + 2 * 20 * 2 },
      { by: 'key', max: 2 * 13 + 2 * 20 * 15 },
    ] as const) {
      const before = (await inside.sql.one(rowsRead, []))?.rows ?? 0
      expect(await usageOf(inside, { accountId, ownerId }, { from: dayOf(9), to: dayOf(100), by })).toHaveLength(by === 'key' ? 2 : 20)
      const after = (await inside.sql.one(rowsRead, []))?.rows ?? 0
      expect(after - before).toBeLessThanOrEqual(max + 3)
    }
  })
})
