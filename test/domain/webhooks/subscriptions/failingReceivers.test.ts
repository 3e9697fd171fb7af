import { afterAll, beforeEach, expect, test } from 'vitest'
import { deploymentChecks } from '../../../../src/cli/doctor/deploymentChecks.ts'
import { failingReceivers } from '../../../../src/domain/webhooks/subscriptions/failingReceivers.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)

const ids: string[] = []
beforeEach(async () => {
  ids.length = 0
  await services.pool.query('delete from webhook_subscriptions')
  const team = await aTeamWithKey(services)
  for (const name of ['a', 'b', 'c']) ids.push((await aSubscription(services, team, `http://127.0.0.1:9/${name}`)).subscription.id)
})

const setOutcome = (id: string | undefined, outcome: string, daysAgo = 0) =>
  services.pool.query(
    'update webhook_subscriptions set last_delivery_outcome = $2, last_delivery_day = utc_day(present()) - $3::integer where id = $1',
    [id, outcome, daysAgo],
  )

async function receivers() {
  const checks = deploymentChecks(services, { database: { kind: 'embedded', folder: '' }, poolMax: undefined })
  return checks.find(({ name }) => name === 'receivers')?.run()
}

test('receivers without deliveries since yesterday do not count', async () => {
  await setOutcome(ids[0], 'failed', 2)
  expect(await failingReceivers(aServiceContext(services))).toEqual({ recent: 0, failing: 0, since: null })
  expect(await receivers()).toMatch(/^0 of 0 /)
})

test('more than half of the receivers must fail for a fault', async () => {
  await setOutcome(ids[0], 'delivered', 1)
  await setOutcome(ids[1], 'retrying')
  expect(await receivers()).toMatch(/^1 of 2 /)
  await setOutcome(ids[2], 'failed')
  await expect(receivers()).rejects.toThrow(/^2 of 3 /)
})

test('a paused receiver does not count', async () => {
  await setOutcome(ids[0], 'failed')
  await services.pool.query('update webhook_subscriptions set paused = true')
  expect(await receivers()).toMatch(/^0 of 0 /)
})
