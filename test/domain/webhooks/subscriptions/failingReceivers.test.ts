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
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  for (const name of ['a', 'b', 'c', 'd'])
    ids.push((await aSubscription(services, name === 'd' ? other : team, `http://127.0.0.1:9/${name}`)).subscription.id)
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
  expect(await failingReceivers(aServiceContext(services))).toEqual({ recent: 0, failing: 0, teams: 0, since: null })
  expect(await receivers()).toMatch(/^0 of 0 /)
})

test('more than half of the receivers, three of two teams, must fail for a fault', async () => {
  for (const id of ids.slice(0, 3)) await setOutcome(id, 'retrying')
  await setOutcome(ids[3], 'delivered', 1)
  expect(await receivers()).toMatch(/^3 of 4 .*too few/)
  await setOutcome(ids[3], 'failed')
  await expect(receivers()).rejects.toThrow(/^4 of 4 /)
  await setOutcome(ids[0], 'delivered')
  await expect(receivers()).rejects.toThrow(/^3 of 4 /)
  await setOutcome(ids[1], 'delivered')
  expect(await receivers()).toMatch(/^2 of 4 [^;]*$/)
})

test('one dead receiver, the only one, is no fault', async () => {
  await setOutcome(ids[0], 'retrying')
  expect(await receivers()).toMatch(/^1 of 1 .*too few/)
})

test('a paused receiver does not count', async () => {
  await setOutcome(ids[0], 'failed')
  await services.pool.query('update webhook_subscriptions set paused = true')
  expect(await receivers()).toMatch(/^0 of 0 /)
})
