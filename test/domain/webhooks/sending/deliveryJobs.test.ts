import { afterAll, expect, test } from 'vitest'
import { scheduleDelivery } from '../../../../src/domain/webhooks/sending/deliveryJobs.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const context = () => aServiceContext(services)
const query = (text: string, values: unknown[]) => services.pool.query(text, values)

test('of two scheduled times for a subscription the earlier one is kept, in either order', async () => {
  const receiver = await aReceiver()
  const secondsUntil = `select extract(epoch from run_at - clock_timestamp())::float8 as seconds from graphile_worker.jobs where key = 'webhook:' || $1`
  for (const asked of [
    [320, 1],
    [1, 320],
  ]) {
    const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
    for (const seconds of asked) await scheduleDelivery(context(), subscription.id, seconds)
    const { rows } = await query(secondsUntil, [subscription.id])
    expect(rows).toHaveLength(1)
    expect(rows[0].seconds).toBeLessThan(2)
  }
})
