import { afterAll, expect, test } from 'vitest'
import { listLedger } from '../../../src/domain/credits/listLedger.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { statement } from '../../../src/domain/sql.ts'
import { pagesRead, planModes } from '../../support/database/pagesRead.ts'
import { aTeam, aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const own = await aTeamWithKey(services)
const { team: others } = await aTeam(services)
const linesOf = (ownerId: string, count: number) =>
  services.pool.query(
    `with made as (
       insert into ledger_transactions (account_id, kind, note, idempotency_key)
         select replace($1, 'team_', 'acct_'), 'grant', 'any', 'any ' || gen_random_uuid() from generate_series(1, $2::integer) returning id
     )
     insert into ledger_entries (transaction_id, bucket, credits)
       select id, bucket, credits from made cross join (values ('granted', -100), ('available', 100)) as e (bucket, credits)`,
    [ownerId, count],
  )

await services.pool.query('alter table ledger_transactions set (autovacuum_enabled = off)')
await linesOf(own.team.id, 1)
await linesOf(others.id, 5000)
await linesOf(own.team.id, 1)
await linesOf(others.id, 5000)

for (const known of ['nothing', 'everything'] as const) {
  test.each(planModes)(
    `a page of the ledger reads only its own lines when PostgreSQL has statistics of ${known}, with plan mode %s`,
    async (planMode) => {
      if (known === 'everything') await services.pool.query('analyze ledger_transactions, ledger_entries')
      for (const fromTheEnd of [false, true]) {
        const asked = { table: 'ledger_transactions', planMode }
        const read = await pagesRead(own.context, asked, async (inside) => {
          const lines = await listLedger(inside, own.spender.accountId, { limit: 10, fromTheEnd, grantsOnly: fromTheEnd })
          expect(lines.filter(({ note }) => note === 'any')).toHaveLength(2)
          expect(lines.map(({ amount }) => amount)).not.toContain(0)
        })
        expect(read).toBeLessThanOrEqual(20)
      }
    },
  )
}

/** Makes index scans as expensive, relative to a scan of the table, as in a large ledger. */
const expensiveIndexScans = statement<never>('expensive_index_scans', `select set_config('random_page_cost', '100', true)`)

test.each(planModes)('a page of the ledger never sorts the whole ledger, with plan mode %s', async (planMode) => {
  await services.pool.query('analyze ledger_transactions')
  for (const fromTheEnd of [false, true]) {
    const read = await pagesRead(own.context, { table: 'ledger_transactions', planMode }, async (inside) => {
      await inside.sql.all(expensiveIndexScans, [])
      expect(await listLedger(inside, own.spender.accountId, { limit: 10, fromTheEnd })).not.toEqual([])
    })
    expect(read).toBeLessThanOrEqual(20)
  }
})

test.each(planModes)('a page of a long ledger reads only the entries of its lines, with plan mode %s', async (planMode) => {
  const long = await aTeamWithKey(services)
  await linesOf(long.team.id, 60_000)
  await services.pool.query('analyze ledger_transactions, ledger_entries')
  const read = await pagesRead(long.context, { table: 'ledger_entries', planMode }, async (inside) => {
    expect(await listLedger(inside, long.spender.accountId, { limit: 10, fromTheEnd: false })).toHaveLength(10)
  })
  expect(read).toBeLessThan(60)
})

test('a line contains the family and key of its generation, and grants can be listed alone', async () => {
  const { context, spender, key } = await aTeamWithKey(services)
  const request = { familyId: 'sandbox-image', prompt: 'a boat' }
  const { generation } = await startGeneration(context, spender, { request, idempotencyKey: undefined })
  const lines = (grantsOnly: boolean) => listLedger(context, spender.accountId, { limit: 10, fromTheEnd: false, grantsOnly })
  const hold = { kind: 'hold', amount: 100, generationId: generation['generationId'], familyId: 'sandbox-image', keyId: key.id }
  const grant = { kind: 'grant', amount: 100_000, generationId: null, familyId: null, keyId: null, note: 'test' }
  expect(await lines(false)).toMatchObject([hold, grant])
  expect(await lines(true)).toMatchObject([grant])
})

test('without a filter, holds are listed beside grants', async () => {
  const made = await aTeamWithKey(services)
  await startGeneration(made.context, made.spender, { request: { familyId: 'sandbox-image', prompt: 'a boat' } })
  const lines = await listLedger(made.context, made.spender.accountId, { limit: 9, fromTheEnd: false })
  expect(lines.map(({ kind }) => kind).toSorted()).toEqual(['grant', 'hold'])
})
