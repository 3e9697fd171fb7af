import { afterAll, expect, test } from 'vitest'
import { deliveryBodies } from '../../../../src/domain/webhooks/deliveries/findDelivery.ts'
import { sendTestEvent } from '../../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)

test('a subscription sends ten test events a minute, and other subscriptions are not limited by it', async () => {
  const team = await aTeamWithKey(services)
  const [{ subscription }, other] = [
    await aSubscription(services, team, 'http://127.0.0.1:9/one'),
    await aSubscription(services, team, 'http://127.0.0.1:9/other'),
  ]
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => sendTestEvent(team.context, subscription.id)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  const refused = outcomes.filter((each) => each.status === 'rejected').map(({ reason }) => reason)
  expect(refused.map(({ code, details }) => [code, details])).toEqual(
    refused.map(() => ['rate_limited', { limit: 10, retryAfterSeconds: 60 }]),
  )
  expect(await sendTestEvent(team.context, other.subscription.id)).toMatchObject({ isTest: true })
  await clock.advance(60_000)
  expect(await sendTestEvent(team.context, subscription.id)).toMatchObject({ isTest: true })
})

test('a test event names a family, a variant and axes of the catalog', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/catalog')
  const { id } = await sendTestEvent(team.context, subscription.id)
  const [body] = await deliveryBodies(team.context, [id])
  const { familyId, modelId, task, axes } = JSON.parse(String(body)).data.generation
  const variant = services.catalog.families.get(familyId)?.variants.find((each) => each.modelId === modelId)
  expect(variant).toMatchObject({ tasks: [task], axes })
})
