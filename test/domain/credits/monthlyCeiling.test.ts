import { afterAll, expect, test } from 'vitest'
import { updateTeam } from '../../../src/domain/access/teams/teams.ts'
import { spendThisMonthOf } from '../../../src/domain/credits/monthlyCeiling.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

/** Starts one generation for 8 credits. */
async function startOne({ context, spender }: TeamWithKey): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse', axes: { version: 'pro' } }
  return (await startGeneration(context, spender, { request, idempotencyKey: undefined })).generation.generationId
}

const charge = ({ context }: TeamWithKey, id: string) => endAtOnce(context, id, { to: 'cancelled', charged: true })

/** The credits charged this month to the key and to the account of the team. */
async function spent({ context, key, spender: { accountId } }: TeamWithKey): Promise<number[]> {
  const both = await Promise.all([spendThisMonthOf(context, { keyId: key.id }), spendThisMonthOf(context, { accountId })])
  return both.map(({ spentThisMonth }) => spentThisMonth / 100)
}

test('the days of a month add up, and the next month begins with 0', async () => {
  const team = await aTeamWithKey(services)
  await clock.set('2027-02-01T00:00:00.000Z')
  await charge(team, await startOne(team))
  await clock.set('2027-02-28T23:59:59.999Z')
  await charge(team, await startOne(team))
  expect(await spent(team)).toEqual([16, 16])
  await clock.set('2027-03-01T00:00:00.000Z')
  expect(await spent(team)).toEqual([0, 0])
})

test('a hold of the last month counts in this month while it is open, and is charged to the month in which it ends', async () => {
  await clock.set('2027-02-28T23:00:00.000Z')
  const team = await aTeamWithKey(services, { monthlyLimitCredits: 10 })
  const id = await startOne(team)
  await clock.set('2027-03-01T00:00:01.000Z')
  expect(await spendThisMonthOf(team.context, { keyId: team.key.id })).toMatchObject({
    monthlyLimit: 1000,
    spentThisMonth: 0,
    monthlyLeft: 200,
  })
  await expect(startOne(team)).rejects.toMatchObject({
    code: 'spend_limit_exceeded',
    message: "The key's ceiling for a month is 10 credits: 0 were spent this month and 8 are held, and this costs 8.",
    details: { limitKind: 'monthly', heldCredits: 8 },
  })
  await charge(team, id)
  expect(await spent(team)).toEqual([8, 8])
})

test('a charge dated before the end of a month does not reset the spending of the new month', async () => {
  await clock.set('2027-04-30T23:00:00.000Z')
  const team = await aTeamWithKey(services)
  const [early, late] = [await startOne(team), await startOne(team)]
  await clock.set('2027-05-01T00:00:00.500Z')
  await charge(team, early)
  await clock.set('2027-04-30T23:59:59.500Z')
  await charge(team, late)
  await clock.set('2027-05-01T00:00:01.000Z')
  expect(await spent(team)).toEqual([8, 8])
})

test('a month in the future, written by a wrong clock, does not count', async () => {
  await clock.set('2027-06-10T12:00:00.000Z')
  const team = await aTeamWithKey(services, { monthlyLimitCredits: 10 })
  await services.pool.query(`update api_keys set charged_month = '2027-08-01', charged_in_month = 900 where id = $1`, [team.key.id])
  expect(await spent(team)).toEqual([0, 0])
  await charge(team, await startOne(team))
  expect(await spent(team)).toEqual([8, 8])
})

test('the budget of a team holds for all of its keys together, and not for another team', async () => {
  await clock.set('2027-07-10T12:00:00.000Z')
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  await updateTeam(aServiceContext(services), { id: team.team.id, monthlyLimitCredits: 20 })
  await charge(team, await startOne(team))
  await startOne(team)
  await expect(startOne(team)).rejects.toMatchObject({
    code: 'spend_limit_exceeded',
    retryable: true,
    message: "The team's budget for a month is 20 credits: 8 were spent this month and 8 are held, and this costs 8.",
    details: {
      limitKind: 'monthly',
      limitOwner: 'team',
      limitCredits: 20,
      credits: 8,
      spentCredits: 8,
      heldCredits: 8,
      resetsAt: '2027-08-01T00:00:00.000Z',
    },
  })
  await startOne(other)
  await clock.set('2027-12-31T23:59:59.999Z')
  await expect(startOne(team).then(() => startOne(team))).rejects.toMatchObject({ details: { resetsAt: '2028-01-01T00:00:00.000Z' } })
})

test('PostgreSQL inlines monthly_left', async () => {
  const { rows } = await services.pool.query(
    'explain (verbose, costs off) select monthly_left(monthly_limit, held, charged_month, charged_in_month) from credit_accounts',
  )
  expect(JSON.stringify(rows)).not.toContain('monthly_left(')
})

test('an unknown key and an unknown account have spent nothing and have no limit', async () => {
  const { context } = await aTeamWithKey(services)
  const none = { monthlyLimit: null, spentThisMonth: 0, monthlyLeft: null }
  expect(await spendThisMonthOf(context, { keyId: 'key_unknown' })).toEqual(none)
  expect(await spendThisMonthOf(context, { accountId: 'acct_unknown' })).toEqual(none)
})
