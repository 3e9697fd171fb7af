import type { WebhookDelivery } from '../../entities/WebhookDelivery.ts'
import { type Context, transaction } from '../context.ts'
import { limits } from '../limits.ts'
import { statement } from '../sql.ts'
import { unknownId } from '../unknownId.ts'
import { findDelivery } from './findDelivery.ts'
import { requireSubscription } from './findSubscription.ts'
import { refuseWhilePaused } from './refuseWhilePaused.ts'
import { wakeDeliverers } from './wakeDeliverers.ts'

const again = `state = 'pending', retries_left = ${limits.webhookRetries}, next_attempt_at = clock_timestamp()`

/** One that is under way already is left to it. */
const reopen = statement<{ id: string }>(
  'redeliver',
  `update webhook_deliveries set ${again} where id = $1 and leased_by is null returning id`,
)
const reopenFailed = statement<{ id: string }>(
  'redeliver_failed',
  `update webhook_deliveries set ${again} where subscription_id = $1 and state = 'failed' and created_at >= $2 returning id`,
)

/**
 * Sends an event once more, the same identifier and the same bytes, at once and with all retries anew; whatever came of it before.
 * Refusals: invalid_request at `deliveryId`, also while its subscription is paused or when that was deleted. Contract: section 5.
 */
export async function redeliver(context: Context, deliveryId: string): Promise<WebhookDelivery> {
  const found = await findDelivery(context, deliveryId)
  if (!found) throw unknownId('deliveryId', 'delivery')
  refuseWhilePaused(await requireSubscription(context, found.subscriptionId, 'deliveryId'), 'deliveryId')
  await transaction(context, async (inside) => {
    await inside.sql.one(reopen, [deliveryId])
    await wakeDeliverers(inside)
  })
  return (await findDelivery(context, deliveryId)) ?? found
}

/**
 * Sends every event again that happened at `since` or later and whose delivery is closed as failed. Returns how many they are.
 * Refusals: invalid_request at `subscriptionId`, also while it is paused. Contract: section 5.
 */
export async function redeliverFailed(
  context: Context,
  { subscriptionId, since }: { subscriptionId: string; since: Date },
): Promise<number> {
  refuseWhilePaused(await requireSubscription(context, subscriptionId, 'subscriptionId'), 'subscriptionId')
  return transaction(context, async (inside) => {
    const reopened = await inside.sql.all(reopenFailed, [subscriptionId, since])
    if (reopened.length > 0) await wakeDeliverers(inside)
    return reopened.length
  })
}
