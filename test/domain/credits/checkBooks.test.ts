import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { migrationsFolder } from '../../../src/database/migrations/migrationFiles.ts'
import { noProgress } from '../../../src/database/progress.ts'
import { checkBooks, checkBooksInSteps } from '../../../src/domain/credits/checkBooks.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testServices } from '../../support/services.ts'
import { run, traffic } from './randomTraffic.ts'

const { services, databaseUrl, close } = await testServices()
afterAll(close)

const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))

test(`random traffic of two teams in two processes, with concurrent steps, keeps the books balanced (SEED=${seed})`, {
  timeout: 120_000,
}, async () => {
  const other = await testServices({ databaseUrl })
  onTestFinished(other.close)
  const property = fc.asyncProperty(traffic, async (rounds) => {
    await run([services, other.services], rounds)
    expect(await checkBooks(aServiceContext(services))).toEqual({ clean: true, faults: [] })
    expect(await monthsThatDiffer()).toEqual([])
  })
  await fc.assert(property, { seed, numRuns: 20, endOnFailure: true })
})

/** Keys and accounts whose counter of the month differs from the usage of the month. */
async function monthsThatDiffer(): Promise<unknown[]> {
  const { rows } = await services.pool.query(
    `with used as (
         select key_id as id, sum(charged) as charged from usage_days where day >= utc_month(present()) group by 1
         union all select account_id, sum(charged) from usage_days where day >= utc_month(present()) group by 1
       ), counted as (
         select id, spent_this_month(charged_month, charged_in_month) as charged from api_keys
         union all select id, spent_this_month(charged_month, charged_in_month) from credit_accounts
       )
       select id from counted left join used using (id) where counted.charged <> coalesce(used.charged, 0)`,
  )
  return rows
}

test('granted credits are always available, held or spent', async () => {
  const [rounds] = fc.sample(traffic, { seed: 7, numRuns: 1 })
  await run([services], rounds ?? [])
  const { rows } = await services.pool.query('select bucket, sum(credits)::integer as credits from ledger_entries group by bucket')
  const sums = Object.fromEntries(rows.map(({ bucket, credits }) => [bucket, credits]))
  expect(sums['available'] + sums['held'] + sums['spent']).toBe(-sums['granted'])
})

/** Replaces a SQL function by an unguarded version, in a separate database. */
async function findsFaultWith(brokenFunction: string): Promise<string[]> {
  const broken = await testServices()
  try {
    await broken.services.pool.query(brokenFunction)
    let faults: string[] = []
    const property = fc.asyncProperty(traffic, async (rounds) => {
      // Broken books may also violate a constraint; this test checks only that the recount reports them.
      await run([broken.services], rounds).catch(() => undefined)
      faults = (await checkBooks(aServiceContext(broken.services))).faults
      return faults.length === 0
    })
    await fc.check(property, { seed: 20260310, numRuns: 60, endOnFailure: true })
    return faults
  } finally {
    await broken.close()
  }
}

test('an unguarded hold overwrites other holds, and the check of the books reports it', async () => {
  const ours = await readFile(join(migrationsFolder, 'functions', 'start_generations.sql'), 'utf8')
  const faults = await findsFaultWith(ours.replace('a.held + holds.credits', 'holds.credits'))
  expect(faults.join()).toContain('held is')
})

test('an ending without a state guard settles twice, and the check of the books reports it', async () => {
  const faults = await findsFaultWith(`
    create or replace function end_generation(
      generation text, from_states text[], to_state text, expected_fence integer, charge boolean, new_result jsonb, new_failure jsonb
    ) returns boolean language plpgsql as $$
    declare
      ended generations;
    begin
      update generations set state = to_state, finished_at = present(), result = new_result, failure = new_failure,
          credits_charged = case when charge then price else 0 end
        where id = generation returning * into ended;
      begin
        perform settle_credits(ended.account_id, ended.key_id, ended.id, ended.price, charge);
      exception when check_violation then null;
        when unique_violation then
          update credit_accounts set held = greatest(held - ended.price, 0) where id = ended.account_id;
      end;
      return true;
    end $$`)
  expect(faults.length).toBeGreaterThan(0)
})

/** Changes one row without a ledger entry. */
const tamperings: [string, string, string][] = [
  ['a balance', 'update credit_accounts set balance = balance + 1 where id = $1', 'available is 99801, its entries say 99800'],
  ['a hold', 'update credit_accounts set held = held + 1 where id = $1', 'held is'],
  [
    'the hold of a key',
    'update api_keys set held_open = held_open + 1 where id = (select key_id from generations where account_id = $1 limit 1)',
    'key key_',
  ],
  ['a price', 'update generations set price = price + 1 where account_id = $1', 'for a price of'],
  ['a charge', 'update generations set credits_charged = 0 where account_id = $1 and credits_charged > 0', 'charged 0'],
  [
    'a state',
    `update generations set state = 'ready', finished_at = now(), credits_charged = 0, result = '{"text": ""}' where account_id = $1 and finished_at is null`,
    '0 settlements while it is ready',
  ],
]

test.each(tamperings)('a manual change of %s is found', async (_what, tampering, words) => {
  const { services: own, close: closeOwn } = await testServices()
  try {
    const { context, spender } = await aTeamWithKey(own)
    const request = { familyId: 'sandbox-image', prompt: 'a boat' }
    const [first] = [
      await startGeneration(context, spender, { request, idempotencyKey: undefined }),
      await startGeneration(context, spender, { request, idempotencyKey: undefined }),
    ]
    await endAtOnce(context, String(first?.generation['generationId']), { to: 'cancelled', charged: true })
    expect((await checkBooks(context)).clean).toBe(true)
    expect(await checkBooksInSteps(own.pool, noProgress)).toEqual({ clean: true, faults: [] })
    await own.pool.query(tampering, [spender.accountId])
    const { clean, faults } = await checkBooks(context)
    expect(await checkBooksInSteps(own.pool, noProgress)).toEqual({ clean, faults: faults.toSorted() })
    expect(clean).toBe(false)
    expect(faults.join('\n')).toContain(words)
  } finally {
    await closeOwn()
  }
})

test('the steps of a check read one snapshot, and show in the end that all rows are read', async () => {
  const { services: own, close: closeOwn } = await testServices()
  onTestFinished(closeOwn)
  const { context, spender } = await aTeamWithKey(own)
  await startGeneration(context, spender, { request: { familyId: 'sandbox-image', prompt: 'a boat' }, idempotencyKey: undefined })
  const client = await own.pool.connect()
  onTestFinished(() => client.release())
  const begin = 'begin isolation level repeatable read, read only'
  const queryAndTamper = async (query: string) => {
    const answer = await client.query(query)
    // The first statement after this one opens the snapshot.
    if (query === begin) return answer
    await own.pool.query('update credit_accounts set held = held + 1 where id = $1', [spender.accountId])
    return answer
  }
  const connect = async () => ({ query: queryAndTamper, release: () => undefined })
  const shown: number[] = []
  const books = await checkBooksInSteps({ connect } as unknown as Pool, ({ total }) => ({
    add: (count) => void shown.push(count),
    end: () => expect(shown.reduce((sum, count) => sum + count, 0)).toBe(total),
  }))
  expect(books).toEqual({ clean: true, faults: [] })
  expect(shown.length).toBeGreaterThan(5)
  expect((await checkBooksInSteps(own.pool, noProgress)).clean).toBe(false)
})

/** Adds a hold of 100 and a capture of a generation that does not exist. */
const settleMissing = `
  with rows (generation_id, kind, amount) as (values ($2::text, 'hold', 100), ($2, 'capture', $3::integer)), made as (
    insert into ledger_transactions (account_id, generation_id, kind, created_at) select $1, generation_id, kind, present() from rows
      returning id, kind
  )
  insert into ledger_entries (transaction_id, bucket, credits)
    select id, bucket, sign * amount from made join rows using (kind) cross join (values ('held', -1), ('spent', 1)) as sides (bucket, sign)`

test('a missing generation is a fault unless it had one hold and one settlement of the same amount', async () => {
  const { services: own, close: closeOwn } = await testServices()
  try {
    const { context, spender } = await aTeamWithKey(own)
    await own.pool.query(settleMissing, [spender.accountId, 'gen_whole', 100])
    await own.pool.query(settleMissing, [spender.accountId, 'gen_half', 50])
    const faults = (await checkBooks(context)).faults.join()
    expect(faults).toContain('generation gen_half: is missing')
    expect(faults).not.toContain('gen_whole')
  } finally {
    await closeOwn()
  }
})
