import { afterAll, expect, test } from 'vitest'
import { spendTodayOf } from '../../../src/domain/credits/dailyCeiling.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

test('the spending of today is read per key, and is 0 on the next day', async () => {
  const [one, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const spent = () => Promise.all([one, other].map(async ({ context, key }) => (await spendTodayOf(context, key.id)).spentToday))
  const charged = (moment: string) =>
    services.pool.query('update api_keys set charged_day = $2::date, charged_on_day = 100 where id = $1', [one.key.id, moment])
  await clock.set('2026-03-10T23:59:59.999Z')
  await charged('2026-03-10')
  expect(await spent()).toEqual([100, 0])
  await clock.set('2026-03-11T00:00:00.000Z')
  expect(await spent()).toEqual([0, 0])
})

test('a charged day in the future, written by a wrong clock, does not count', async () => {
  const { context, key } = await aTeamWithKey(services, { dailyLimitCredits: 10 })
  await clock.set('2026-03-10T12:00:00.000Z')
  await services.pool.query(`update api_keys set charged_day = '2026-04-10', charged_on_day = 900 where id = $1`, [key.id])
  expect(await spendTodayOf(context, key.id)).toMatchObject({ spentToday: 0, dailyLeft: 1000 })
})
