import { limits } from '../../contract/limits.ts'
import { type WebhookDeliveryState, webhookDeliveryStates } from '../../entities/WebhookDelivery.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { unknownId } from '../unknownId.ts'
import { findDelivery, type LoggedDelivery } from './findDelivery.ts'
import { requireSubscription } from './findSubscription.ts'
import { refuseWhilePaused } from './refuseWhilePaused.ts'

const reopen = statement<{ reopened: number }>('reopen_deliveries', 'select reopen_webhook_deliveries($1, $2, $3) as reopened')

/** Small enough for one statement to be well within its limit. */
const rowsAtOnce = 2_000

const failedSince = statement<{ id: string; eventNumber: number }>(
  'failed_deliveries',
  `select id, event_number from webhook_deliveries
     where subscription_id = $1 and state = 'failed' and event_number > $2 and created_at >= $3 order by event_number limit ${rowsAtOnce}`,
)

/**
 * Sends an event once more, the same identifier and the same bytes, at once and with all retries anew, whatever came of it before; an
 * attempt that is under way counts as that.
 * Refusals: invalid_request at `deliveryId`, also while its subscription is paused or when that was deleted. Contract: section 5.
 */
export async function redeliver(context: Context, deliveryId: string): Promise<LoggedDelivery> {
  const found = await findDelivery(context, deliveryId)
  if (!found) throw unknownId('deliveryId', 'delivery')
  refuseWhilePaused(await requireSubscription(context, found.subscriptionId, 'deliveryId'), 'deliveryId')
  await putBack(context, [deliveryId], webhookDeliveryStates)
  return (await findDelivery(context, deliveryId)) ?? found
}

/**
 * Sends every event again that happened at `since` or later and whose delivery is closed as failed. They are put back some thousands at
 * a time, the oldest first; repeated after a failure in the middle, it goes on with the rest. Returns how many they are.
 * Refusals: invalid_request at `subscriptionId`, also while it is paused. Contract: section 5.
 */
export async function redeliverFailed(
  context: Context,
  { subscriptionId, since }: { subscriptionId: string; since: Date },
): Promise<number> {
  refuseWhilePaused(await requireSubscription(context, subscriptionId, 'subscriptionId'), 'subscriptionId')
  let count = 0
  for (let after = 0; ; ) {
    const failed = await context.sql.all(failedSince, [subscriptionId, after, since])
    const last = failed.at(-1)
    if (!last) return count
    const ids = failed.map(({ id }) => id)
    count += await putBack(context, ids, ['failed'])
    after = last.eventNumber
  }
}

async function putBack(context: Context, ids: string[], fromStates: readonly WebhookDeliveryState[]): Promise<number> {
  return (await context.sql.one(reopen, [ids, fromStates, limits.webhookRetries]))?.reopened ?? 0
}
