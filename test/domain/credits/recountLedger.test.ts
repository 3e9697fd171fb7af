import { afterAll, expect, test } from 'vitest'
import { recountLedger } from '../../../src/domain/credits/recountLedger.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, logged, close } = await testServices()
afterAll(close)

const goOn = () => false
const context = aServiceContext(services)
const rows = async () => (await services.pool.query('select * from ledger_recounts order by account_id')).rows

test('a recount covers all accounts to their last entry, and the next one reads only new entries', async () => {
  const teams = await Promise.all(Array.from({ length: 25 }, () => aTeamWithKey(services)))
  expect(await recountLedger(context, goOn)).toBe(0)
  const before = await rows()
  expect(before.length).toBeGreaterThanOrEqual(teams.length)
  const [first] = teams
  if (!first) throw new Error('no team')
  const asked = { request: { familyId: 'sandbox-image', prompt: 'a boat' }, idempotencyKey: undefined }
  const { generation } = await startGeneration(first.context, first.spender, asked)
  await endAtOnce(context, generation.generationId, { to: 'failed', failure: { code: 'timeout', reason: 'deadline_exceeded' } })
  await clock.advance(60_000)
  expect(await recountLedger(context, goOn)).toBe(0)
  const after = await rows()
  expect(after.filter((row, index) => row.through_id !== before[index].through_id)).toHaveLength(1)
  expect(after.every((row, index) => row.recounted_at > before[index].recounted_at)).toBe(true)
})

test('an account that differs from its entries is reported until it matches again', async () => {
  const { rows: accounts } = await services.pool.query(
    'update credit_accounts set balance = balance + 5 where id = (select min(id) from credit_accounts) returning id',
  )
  expect(await recountLedger(context, goOn)).toBe(1)
  expect(logged).toContainEqual({
    level: 'error',
    message: 'an account differs from its ledger entries',
    fields: { accountId: accounts[0].id, driftCredits: 0.05 },
  })
  expect((await services.metrics.render()).text).toContain('atelier_ledger_drift_accounts 1')
  await services.pool.query('update credit_accounts set balance = balance - 5 where id = $1', [accounts[0].id])
  expect(await recountLedger(context, goOn)).toBe(0)
})

test('a recount that is over at once reads nothing', async () => {
  const before = await rows()
  await clock.advance(60_000)
  expect(await recountLedger(context, () => true)).toBe(0)
  expect(await rows()).toEqual(before)
})

test('holds count in the recount that first reads them and in later ones', async () => {
  const team = await aTeamWithKey(services)
  const asked = { request: { familyId: 'sandbox-image', prompt: 'a boat' }, idempotencyKey: undefined }
  for (let starts = 0; starts < 2; starts++) {
    await startGeneration(team.context, team.spender, asked)
    expect(await recountLedger(context, goOn)).toBe(0)
  }
})

test('a hold without entries differs in what is held and in what is available', async () => {
  const { spender } = await aTeamWithKey(services)
  await services.pool.query('update credit_accounts set held = held + 5 where id = $1', [spender.accountId])
  expect(await recountLedger(context, goOn)).toBe(1)
  expect(logged.at(-1)?.fields).toEqual({ accountId: spender.accountId, driftCredits: 0.1 })
})
