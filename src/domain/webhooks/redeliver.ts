import { limits } from '../../contract/limits.ts'
import { type WebhookDelivery, type WebhookDeliveryState, webhookDeliveryStates } from '../../entities/WebhookDelivery.ts'
import { type Context, transaction } from '../context.ts'
import { statement } from '../sql.ts'
import { unknownId } from '../unknownId.ts'
import { findDelivery } from './findDelivery.ts'
import { requireSubscription } from './findSubscription.ts'
import { refuseWhilePaused } from './refuseWhilePaused.ts'
import { wakeDeliverers } from './wakeDeliverers.ts'

const reopen = statement<{ reopened: number }>('reopen_deliveries', 'select reopen_webhook_deliveries($1, $2, $3) as reopened')

const failedSince = statement<{ id: string }>(
  'failed_deliveries',
  `select id from webhook_deliveries where subscription_id = $1 and state = 'failed' and created_at >= $2`,
)

/**
 * Sends an event once more, the same identifier and the same bytes, at once and with all retries anew, whatever came of it before; an
 * attempt that is under way counts as that.
 * Refusals: invalid_request at `deliveryId`, also while its subscription is paused or when that was deleted. Contract: section 5.
 */
export async function redeliver(context: Context, deliveryId: string): Promise<WebhookDelivery> {
  const found = await findDelivery(context, deliveryId)
  if (!found) throw unknownId('deliveryId', 'delivery')
  refuseWhilePaused(await requireSubscription(context, found.subscriptionId, 'deliveryId'), 'deliveryId')
  await putBack(context, [deliveryId], webhookDeliveryStates)
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
  const failed = await context.sql.all(failedSince, [subscriptionId, since])
  const ids = failed.map(({ id }) => id)
  return putBack(context, ids, ['failed'])
}

async function putBack(context: Context, ids: string[], fromStates: readonly WebhookDeliveryState[]): Promise<number> {
  return transaction(context, async (inside) => {
    const row = await inside.sql.one(reopen, [ids, fromStates, limits.webhookRetries])
    await wakeDeliverers(inside)
    return row?.reopened ?? 0
  })
}
