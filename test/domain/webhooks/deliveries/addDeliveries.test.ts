import { afterAll, expect, test } from 'vitest'
import { requeueLostDeliveries } from '../../../../src/domain/webhooks/sending/deliveryJobs.ts'
import { dueDeliveries } from '../../../../src/domain/webhooks/sending/dueDeliveries.ts'
import { redeliver, redeliverFailed } from '../../../../src/domain/webhooks/deliveries/redeliver.ts'
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
const { delivering } = deliveryRun(services)

test('events during an auto-pause cost a row and no attempt, and each is sent once after the resume', async () => {
  const receiver = await aReceiver()
  const team = await aTeamWithKey(services)
  const { id } = (await aSubscription(services, team, receiver.url)).subscription
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
  await delivering(async () => {
    expect(await dueDeliveries(tool, [id], [])).toMatchObject([{ due: [], waitSeconds: null }])
    expect(await requeueLostDeliveries(tool, 0)).toBe(0)
    await closeOrphanedDeliveries(tool)
    const rows = await pool.query(`select id, state, attempts, refusal from webhook_deliveries where subscription_id = $1`, [id])
    const refusal = 'the webhook is paused, because it failed for days'
    expect(rows.rows.map(({ id: _, ...row }) => row)).toEqual(Array.from({ length: 4 }, () => ({ state: 'failed', attempts: 0, refusal })))
    await expect(redeliverFailed(tool, { subscriptionId: id, since })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(redeliver(tool, rows.rows[0].id)).rejects.toMatchObject({ code: 'invalid_request' })
    await updateSubscription(tool, { id, paused: false })
    expect(await redeliverFailed(tool, { subscriptionId: id, since })).toBe(4)
    expect(await redeliverFailed(tool, { subscriptionId: id, since })).toBe(0)
    await soon(() => expect(receiver.requests).toHaveLength(4))
    expect(new Set(receiver.requests.map(({ body }) => JSON.parse(String(body)).id))).toEqual(new Set(rows.rows.map((row) => row.id)))
  })
})
