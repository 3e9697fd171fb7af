import { afterAll, expect, test } from 'vitest'
import { redeliver, redeliverFailed } from '../../../../src/domain/webhooks/deliveries/redeliver.ts'
import { requeueLostDeliveries } from '../../../../src/domain/webhooks/sending/deliveryJobs.ts'
import { dueDeliveries } from '../../../../src/domain/webhooks/sending/dueDeliveries.ts'
import { closeOrphanedDeliveries } from '../../../../src/domain/webhooks/subscriptions/deleteSubscription.ts'
import { updateSubscription } from '../../../../src/domain/webhooks/subscriptions/updateSubscription.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { deliveryRun, soon } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const { pool } = services
const tool = aServiceContext(services)
const { delivering, logOf, settled } = deliveryRun(services)

test('events during an auto-pause are recorded without an attempt, and each is sent once after the resume', async () => {
  const receiver = await aReceiver()
  const team = await aTeamWithKey(services)
  const { id } = (await aSubscription(services, team, receiver.address)).subscription
  await anEnding(team)
  await pool.query('update webhook_subscriptions set auto_paused_at = present() where id = $1', [id])
  await anEnding(team)
  await anEnding(team)
  // An older process records an open delivery.
  await anEnding(team)
  await pool.query(
    `update webhook_deliveries set state = 'pending', next_attempt_at = now() - interval '1 hour', retries_left = 6 where event_number = 4`,
  )
  const since = new Date(clock.now().getTime() - 60_000)
  await delivering()
  expect(await dueDeliveries(tool, [id], [])).toEqual([{ due: [], waitSeconds: null, unconfirmedOrigin: null }])
  expect(await requeueLostDeliveries(tool, 0)).toBe(0)
  await closeOrphanedDeliveries(tool)
  const rows = await logOf(id)
  expect(rows).toHaveLength(4)
  expect(rows.every(({ state, attempts }) => state === 'failed' && attempts === 0)).toBe(true)
  expect(new Set(rows.map(({ refusal }) => refusal))).toEqual(new Set(['the webhook is paused, because it failed for days']))
  await expect(redeliverFailed(tool, { subscriptionId: id, since })).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(redeliver(tool, rows[0]?.id ?? '')).rejects.toMatchObject({ code: 'invalid_request' })
  await updateSubscription(tool, { id, paused: false })
  expect(await redeliverFailed(tool, { subscriptionId: id, since })).toBe(4)
  await expect.poll(settled(id), soon).toBeUndefined()
  expect(await redeliverFailed(tool, { subscriptionId: id, since })).toBe(0)
  expect(receiver.ids().toSorted()).toEqual(rows.map((row) => row.id).toSorted())
})
