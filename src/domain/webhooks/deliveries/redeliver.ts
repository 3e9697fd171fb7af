import { limits } from '../../../contract/limits.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { type WebhookDeliveryState, webhookDeliveryStates } from '../../../entities/WebhookDelivery.ts'
import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { requireSubscription } from '../subscriptions/findSubscription.ts'
import { requireNotPaused } from '../subscriptions/requireNotPaused.ts'
import { findDelivery, type LoggedDelivery } from './findDelivery.ts'
import { listDeliveries } from './listDeliveries.ts'

const reopen = statement<{ reopened: number }>('reopen_deliveries', 'select reopen_webhook_deliveries($1, $2, $3) as reopened')

/** Small enough for one statement to be well within its limit. */
const rowsAtOnce = 2_000

/**
 * Sends an event once more, the same identifier and the same bytes, at once and with all retries anew, whatever came of it before; an
 * attempt that is under way counts as that.
 * Refusals: invalid_request at `deliveryId`, also while its subscription is paused or when that was deleted.
 * Contract: docs/contract.md#redelivery.
 */
export async function redeliver(context: Context, deliveryId: string): Promise<LoggedDelivery> {
  const found = await findDelivery(context, deliveryId)
  if (!found) throw unknownId('deliveryId', 'delivery')
  const subscription = await requireSubscription(context, found.subscriptionId, 'deliveryId')
  requireNotPaused(subscription, 'deliveryId')
  await reopenDeliveries(context, subscription, { ids: [deliveryId], fromStates: webhookDeliveryStates })
  return (await findDelivery(context, deliveryId)) ?? found
}

/**
 * Sends every event again that happened at `since` or later and whose delivery is closed as failed, `max` of them when it is given. They
 * are put back some thousands at a time, the oldest first; repeated after a failure in the middle, or after `max`, it goes on with the
 * rest. Returns how many they are.
 * Refusals: invalid_request at `subscriptionId`, also while it is paused, and at `max`. Contract: docs/contract.md#redelivery.
 */
export async function redeliverFailed(
  context: Context,
  { subscriptionId, since, max }: { subscriptionId: string; since: Date; max?: number | null | undefined },
): Promise<number> {
  const wanted = readMax(max)
  const subscription = await requireSubscription(context, subscriptionId, 'subscriptionId')
  requireNotPaused(subscription, 'subscriptionId')
  const filter = { subscriptionIds: [subscriptionId], state: 'failed', since } as const
  let count = 0
  for (let before: string | undefined; count < wanted; ) {
    const limit = Math.min(rowsAtOnce, wanted - count)
    const failed = await listDeliveries(context, filter, { before, limit, fromTheEnd: true })
    const last = failed.at(-1)
    if (!last) break
    const ids = failed.map(({ id }) => id)
    count += await reopenDeliveries(context, subscription, { ids, fromStates: ['failed'] })
    before = last.cursor
  }
  return count
}

function readMax(max: number | null | undefined): number {
  if (max !== null && max !== undefined && max < 1) {
    throw invalidRequest({ in: 'body', path: ['max'], code: 'too_small', message: 'Takes at least 1.' })
  }
  return max ?? Number.POSITIVE_INFINITY
}

/** The log has an entry for each stretch that is put back; of one alone it names the event. */
async function reopenDeliveries(
  context: Context,
  { id: subscriptionId, teamId }: WebhookSubscription,
  { ids, fromStates }: { ids: string[]; fromStates: readonly WebhookDeliveryState[] },
): Promise<number> {
  return await transaction(context, async (inside) => {
    const count = (await inside.sql.one(reopen, [ids, fromStates, limits.webhookRetries]))?.reopened ?? 0
    if (count === 0) return 0
    const after = { events: count, ...(ids.length === 1 ? { event: ids[0] } : {}) }
    await recordAudit(inside, { action: 'webhook.sent_again', teamId, subjectId: subscriptionId, after })
    return count
  })
}
