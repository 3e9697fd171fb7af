import { afterAll, expect, test } from 'vitest'
import { spenderOf } from '../../../src/domain/access/spender.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { accountOf, adjustCredits, grantCredits } from '../../../src/domain/credits/grantCredits.ts'
import { listLedger } from '../../../src/domain/credits/listLedger.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeam, aTeamWithKey } from '../../support/factories.ts'
import { issueOf, refused } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const context = () => aServiceContext(services)
const correction = { note: 'double top-up', idempotencyKey: 'one' }

test('a negative adjustment takes exactly its amount, with a negative line in the ledger', async () => {
  const { team } = await aTeam(services, { credits: 20 })
  expect(await adjustCredits(context(), { teamId: team.id, credits: -12.34, ...correction })).toMatchObject({ balance: 766, held: 0 })
  const account = await accountOf(context(), { teamId: team.id })
  const [line] = await listLedger(context(), account?.id ?? '', { limit: 1, fromTheEnd: false, grantsOnly: true })
  expect(line).toMatchObject({ kind: 'grant', amount: -1234, note: 'double top-up', generationId: null })
  expect(await checkBooks(context())).toEqual({ clean: true, faults: [] })
})

test('a positive adjustment adds its amount', async () => {
  const { team } = await aTeam(services, { credits: 0 })
  expect(await adjustCredits(context(), { teamId: team.id, credits: 0.01, ...correction })).toMatchObject({ balance: 1 })
})

test('an adjustment never takes what running work holds', async () => {
  const { team, context: caller } = await aTeamWithKey(services, { credits: 10 })
  await startGeneration(caller, spenderOf(caller.actor), { request: { familyId: 'sandbox-image', prompt: 'a', axes: { version: 'pro' } } })
  const tooMuch = adjustCredits(context(), { teamId: team.id, credits: -2.01, ...correction })
  expect(await refused(tooMuch)).toEqual({
    code: 'insufficient_credits',
    details: { credits: 2.01, creditsAvailable: 2, creditsHeld: 8 },
  })
  expect(await adjustCredits(context(), { teamId: team.id, credits: -2, ...correction })).toMatchObject({ balance: 800, held: 800 })
  expect(await checkBooks(context())).toEqual({ clean: true, faults: [] })
})

test('concurrent repeats take once, also when a second time would exceed the balance', async () => {
  const { team } = await aTeam(services, { credits: 10 })
  await Promise.all(Array.from({ length: 12 }, () => adjustCredits(context(), { teamId: team.id, credits: -8, ...correction })))
  expect(await accountOf(context(), { teamId: team.id })).toMatchObject({ balance: 200 })
})

test('a repeat with another amount is refused, also when a grant used the key', async () => {
  const { team } = await aTeam(services, { credits: 10 })
  await grantCredits(context(), { teamId: team.id, credits: 5, ...correction })
  const repeat = adjustCredits(context(), { teamId: team.id, credits: -5, ...correction })
  expect(await refused(repeat)).toEqual({ code: 'idempotency_conflict', details: { idempotencyKey: 'one' } })
  await adjustCredits(context(), { teamId: team.id, credits: -5, ...correction, idempotencyKey: 'two' })
  const grant = grantCredits(context(), { teamId: team.id, credits: 5, ...correction, idempotencyKey: 'two' })
  expect(await refused(grant)).toMatchObject({ code: 'idempotency_conflict' })
  expect(await accountOf(context(), { teamId: team.id })).toMatchObject({ balance: 1000 })
})

test.each([
  [{ credits: 0 }, 'credits: not_allowed'],
  [{ credits: -0 }, 'credits: not_allowed'],
  [{ credits: -0.001 }, 'credits: bad_format'],
  [{ credits: -1_000_000_000.01 }, 'credits: too_big'],
  [{ credits: Number.NaN }, 'credits: too_small'],
  [{ note: 'a\0' }, 'note: bad_format'],
  [{ idempotencyKey: '' }, 'idempotencyKey: too_small'],
  [{ teamId: undefined }, 'teamId: required'],
] as const)('%j is refused and changes nothing', async (change, issue) => {
  const { team } = await aTeam(services, { credits: 1 })
  expect(await issueOf(adjustCredits(context(), { teamId: team.id, credits: -1, ...correction, ...change }))).toBe(issue)
  expect(await accountOf(context(), { teamId: team.id })).toMatchObject({ balance: 100 })
})

test('the audit log has each adjustment once, and no repeat', async () => {
  const { team } = await aTeam(services, { credits: 10 })
  for (const idempotencyKey of ['one', 'one', 'two'])
    await adjustCredits(context(), { teamId: team.id, credits: -1, ...correction, idempotencyKey })
  const entries = `select after from audit_entries where team_id = $1 and action = 'credits.adjusted'`
  expect((await services.pool.query(entries, [team.id])).rows).toEqual(Array.from({ length: 2 }, () => ({ after: { credits: -1 } })))
})
