import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { listDeliveries } from '../../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { importLegacyQueue, scheduleDelivery } from '../../../../src/domain/webhooks/sending/deliveryJobs.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptAllDue } from '../../../support/webhooks/attemptAllDue.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const context = () => aServiceContext(services)
const query = (text: string, values: unknown[]) => services.pool.query(text, values)

/** Records a delivery as the previous release did: a row of the log, and one of its queue. */
async function recordInLegacyQueue(subscriptionId: string, eventNumber: number): Promise<string> {
  const id = newId('evt')
  await query(
    `with added as (
       insert into webhook_deliveries (id, subscription_id, event_number, body, event, is_test, created_at, next_attempt_at)
         values ($1, $2, $3, '{}', 'generation.failed', false, now(), statement_timestamp())
     )
     insert into webhook_queue (subscription_id, delivery_id, due_at, retries_left) values ($2, $1, statement_timestamp(), 3)`,
    [id, subscriptionId, eventNumber],
  )
  return id
}

test('deliveries that the previous release recorded and did not begin are imported once, with their remaining retries', async () => {
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
  const [open, twice, leased] = [
    await recordInLegacyQueue(subscription.id, 1),
    await recordInLegacyQueue(subscription.id, 2),
    await recordInLegacyQueue(subscription.id, 3),
  ]
  await query(
    `insert into webhook_queue select subscription_id, due_at + interval '1 ms', delivery_id, 6 from webhook_queue where delivery_id = $1`,
    [twice],
  )
  await query(
    `insert into webhook_leases select subscription_id, delivery_id, due_at, gen_random_uuid(), 'before', now(), now() + interval '14 seconds'
       from webhook_queue where delivery_id = $1`,
    [leased],
  )
  expect(await attemptAllDue(context())).toBe(0)

  expect(await importLegacyQueue(context())).toBe(2)
  const job = `select task_identifier from graphile_worker.jobs where key = 'webhook:' || $1`
  expect((await query(job, [subscription.id])).rows).toEqual([{ task_identifier: 'deliverWebhooks' }])
  const retries = 'select retries_left from webhook_deliveries where id = any($1) order by event_number'
  expect((await query(retries, [[open, twice, leased]])).rows.map(({ retries_left }) => retries_left)).toEqual([3, 6, null])
  expect(await attemptAllDue(context())).toBe(2)
  expect(receiver.ids().toSorted()).toEqual([open, twice].toSorted())

  await query(`update webhook_leases set expires_at = now() where delivery_id = $1`, [leased])
  expect(await importLegacyQueue(context())).toBe(1)
  expect(await attemptAllDue(context())).toBe(1)
  expect(await importLegacyQueue(context())).toBe(0)
  const log = await listDeliveries(context(), { subscriptionIds: [subscription.id] }, { limit: 9, fromTheEnd: true })
  expect(log.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 1],
    ['delivered', 2],
  ])
})

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
