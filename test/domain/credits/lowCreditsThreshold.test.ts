import { afterAll, expect, test } from 'vitest'
import { lowCreditsThresholdOf } from '../../../src/domain/credits/lowCreditsThreshold.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

test('the threshold of an account is read, and is null for an account without one and for an unknown account', async () => {
  const [one, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  await services.pool.query('update credit_accounts set low_credits_threshold = 250 where id = $1', [one.spender.accountId])
  const ids = [one.spender.accountId, other.spender.accountId, 'acct_unknown']
  expect(await Promise.all(ids.map((id) => lowCreditsThresholdOf(one.context, id)))).toEqual([250, null, null])
})
