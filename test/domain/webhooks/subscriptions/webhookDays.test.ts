import { afterAll, expect, test } from 'vitest'
import { pruneWebhookHours } from '../../../../src/domain/webhooks/deliveries/pruneDeliveries.ts'
import { webhookDays } from '../../../../src/domain/webhooks/subscriptions/webhookDays.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

test('attempts are added up by day in UTC for 30 days, with days without attempts', async () => {
  await clock.set(new Date('2026-03-31T12:30:00.000Z'))
  const own = await aTeamWithKey(services)
  const [hook, other] = [
    await aSubscription(services, own, 'https://203.0.114.9/a'),
    await aSubscription(services, own, 'https://203.0.114.9/b'),
  ]
  const hours = ['2026-03-01T00:00Z', '2026-03-01T23:00Z', '2026-03-31T12:00Z', '2026-02-28T23:00Z', '2026-02-27T00:00Z']
  for (const hour of hours)
    await services.pool.query('insert into webhook_hours values ($1, $2, 3, 1)', [hook.subscription.id, new Date(hour)])
  await pruneWebhookHours(tool)
  const days = await webhookDays(tool, hook.subscription.id)
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({ day: '2026-03-02', delivered: 0, failed: 0 })
  expect(days.at(-1)).toEqual({ day: '2026-03-31', delivered: 3, failed: 1 })
  const [first, second] = await Promise.all([webhookDays(tool, hook.subscription.id), webhookDays(tool, hook.subscription.id)])
  expect([first, second]).toEqual([days, days])
  await clock.set(new Date('2026-03-30T00:00:00.000Z'))
  expect((await webhookDays(tool, hook.subscription.id))[0]).toEqual({ day: '2026-03-01', delivered: 6, failed: 2 })
  expect((await webhookDays(tool, other.subscription.id)).every(({ delivered, failed }) => delivered + failed === 0)).toBe(true)
})
