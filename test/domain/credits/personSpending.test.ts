import { afterAll, expect, test } from 'vitest'
import { readPersonSpending } from '../../../src/domain/credits/personSpending.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

/** A person of a team with a daily ceiling of 10 credits, who holds 5. */
async function aPerson() {
  const { team, user, context, spender } = await aTeamWithKey(services)
  const { accountId } = spender
  await services.pool.query('update teams set run_daily_limit = 1000 where id = $1', [team.id])
  await services.pool.query('insert into person_spending (account_id, user_id, held_open) values ($1, $2, 500)', [accountId, user.id])
  return {
    read: (change: { accountId?: string; userId?: string | null; source?: 'rest' | 'editor' } = {}) =>
      readPersonSpending(context, { accountId, keyId: null, userId: user.id, source: 'editor', ...change }),
    settle: (credits: number, charge: boolean) =>
      services.pool.query('select settle_person($1, $2, $3, $4)', [accountId, user.id, credits, charge]),
  }
}

test('charges of one day add up, a release charges nothing, and the next day begins with 0', async () => {
  await clock.set('2027-03-01T12:00:00.000Z')
  const { read, settle } = await aPerson()
  expect(await read()).toEqual({ dailyLimit: 1000, spentToday: 0, heldOpen: 500, dailyLeft: 500 })
  await settle(100, true)
  await settle(50, true)
  await settle(200, false)
  expect(await read()).toEqual({ dailyLimit: 1000, spentToday: 150, heldOpen: 150, dailyLeft: 700 })
  await clock.set('2027-03-02T00:00:00.000Z')
  expect(await read()).toEqual({ dailyLimit: 1000, spentToday: 0, heldOpen: 150, dailyLeft: 850 })
  await settle(30, true)
  expect(await read()).toMatchObject({ spentToday: 30, heldOpen: 120 })
})

test('a charge dated before midnight does not change the charges of the new day', async () => {
  await clock.set('2027-04-02T00:00:00.500Z')
  const { read, settle } = await aPerson()
  await settle(100, true)
  await clock.set('2027-04-01T23:59:59.500Z')
  await settle(50, true)
  await clock.set('2027-04-02T00:00:01.000Z')
  expect(await read()).toMatchObject({ spentToday: 100, heldOpen: 350 })
})

test('only starts of people have this ceiling, and an unknown account has none', async () => {
  const { read } = await aPerson()
  expect(await read({ source: 'rest' })).toBeUndefined()
  expect(await read({ userId: null })).toBeUndefined()
  expect(await read({ accountId: 'acct_unknown' })).toEqual({ dailyLimit: null, spentToday: 0, heldOpen: 0, dailyLeft: null })
})
