import { afterAll, expect, test } from 'vitest'
import { findFailingWebhooks } from '../../../../src/domain/webhooks/subscriptions/findFailingWebhooks.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptHours } from '../../../support/webhooks/attemptHours.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const { failed } = attemptHours(services, () => clock.now())

test('a webhook fails from its last attempt until a delivery, a pause or a day without attempts', async () => {
  const team = await aTeamWithKey(services)
  const { id } = (await aSubscription(services, team, 'http://127.0.0.1:9/dead')).subscription
  const change = (set: string) => services.pool.query(`update webhook_subscriptions set ${set} where id = $1`, [id])
  const found = async () => (await findFailingWebhooks(aServiceContext(services), team.team.id)).map((webhook) => webhook.id)
  expect(await found()).toEqual([])
  await failed(id, { fromHoursAgo: 0 })
  expect(await found()).toEqual([id])
  await change('paused = true')
  expect(await found()).toEqual([])
  await change(`paused = false, last_delivery_outcome = 'delivered'`)
  expect(await found()).toEqual([])
  await change(`last_delivery_outcome = 'retrying'`)
  expect(await found()).toEqual([id])
  await clock.advance(25 * 3_600_000)
  expect(await found()).toEqual([])
})
