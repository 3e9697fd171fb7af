import { limits } from '../../../contract/limits.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { Team } from '../../../entities/Team.ts'
import { type WebhookDeliveryState, webhookDeliveryStates } from '../../../entities/WebhookDelivery.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { findReceiver, requireNotPaused } from '../subscriptions/findSubscription.ts'
import { findDelivery, type LoggedDelivery } from './findDelivery.ts'
import { listDeliveries } from './listDeliveries.ts'

const reopen = statement<{ reopened: number }>('reopen_deliveries', 'select reopen_webhook_deliveries($1, $2, $3) as reopened')

/** Keeps one statement well within the statement timeout. */
const batchSize = 2_000

/**
 * Sends an event again at once, with the same identifier and body, and with all retries. It does not matter how the earlier attempts
 * ended; a running attempt counts as the new one.
 * Refusals: invalid_request at `deliveryId`, also when its subscription is paused or deleted. Contract: docs/contract.md#redelivery.
 */
export async function redeliver(context: Context, deliveryId: string): Promise<LoggedDelivery> {
  const found = await findDelivery(context, deliveryId)
  if (!found) throw unknownId('deliveryId', 'delivery')
  const subscription = await findReceiver(context, found.receiverId)
  if (!subscription || subscription.deletedAt) throw unknownId('deliveryId', 'subscription')
  if (subscription.kind !== 'callbacks') requireNotPaused(subscription, 'deliveryId')
  await reopenDeliveries(context, subscription, { ids: [deliveryId], fromStates: webhookDeliveryStates })
  return (await findDelivery(context, deliveryId)) ?? found
}

/** `subscriptionId`: a subscription to events or to alerts. `callbacksOf`: the team whose callbacks are sent again. One of both is given. */
type FailedDeliveries = {
  subscriptionId?: string | null | undefined
  callbacksOf?: string | null | undefined
  since: Date
  max?: number | null | undefined
}

/**
 * Sends again every failed event that happened at `since` or later, `max` at most, oldest first. Works in batches, each in its own
 * transaction. After an error, or after `max` events, the same call continues with the rest. Returns the number of events.
 * Refusals: invalid_request at `subscriptionId`, also while it is paused, at `callbacksOf` and at `max`.
 * Contract: docs/contract.md#redelivery.
 */
export async function redeliverFailed(context: Context, { since, max, ...named }: FailedDeliveries): Promise<number> {
  const eventsMax = readMax(max)
  const { receivers, subject } = await findReceivers(context, named)
  const filter = { ...receivers, state: 'failed', since } as const
  let count = 0
  for (let before: string | undefined; count < eventsMax; ) {
    const limit = Math.min(batchSize, eventsMax - count)
    const failed = await listDeliveries(context, filter, { before, limit, fromTheEnd: true })
    const last = failed.at(-1)
    if (!last) break
    const ids = failed.map(({ id }) => id)
    count += await reopenDeliveries(context, subject, { ids, fromStates: ['failed'] })
    before = last.cursor
  }
  return count
}

async function findReceivers(context: Context, { subscriptionId, callbacksOf }: Omit<FailedDeliveries, 'since' | 'max'>) {
  if (callbacksOf && !subscriptionId) {
    if ((await context.em().count(Team, { id: callbacksOf, deletedAt: null })) === 0) throw unknownId('callbacksOf', 'team')
    return { receivers: { subscriptionIds: [], callbacksOf }, subject: { id: callbacksOf, teamId: callbacksOf } }
  }
  if (callbacksOf) {
    throw invalidRequest({ in: 'body', path: ['callbacksOf'], code: 'conflict', message: 'Takes either a subscription or callbacks.' })
  }
  const subject = await findReceiver(context, subscriptionId ?? '')
  if (!subject || subject.deletedAt || subject.kind === 'callbacks') throw unknownId('subscriptionId', 'subscription')
  requireNotPaused(subject, 'subscriptionId')
  const ids = [subject.id]
  return { receivers: subject.kind === 'alerts' ? { subscriptionIds: [], alertSubscriptionIds: ids } : { subscriptionIds: ids }, subject }
}

function readMax(max: number | null | undefined): number {
  if (max !== null && max !== undefined && max < 1) {
    throw invalidRequest({ in: 'body', path: ['max'], code: 'too_small', message: 'Takes at least 1.' })
  }
  return max ?? Number.POSITIVE_INFINITY
}

/** Writes one audit entry per batch. For a single event the entry has its identifier. */
async function reopenDeliveries(
  context: Context,
  { id: subjectId, teamId }: { id: string; teamId: string },
  { ids, fromStates }: { ids: string[]; fromStates: readonly WebhookDeliveryState[] },
): Promise<number> {
  return await transaction(context, async (inside) => {
    const count = (await inside.sql.one(reopen, [ids, fromStates, limits.webhookRetries]))?.reopened ?? 0
    if (count === 0) return 0
    const after = { events: count, ...(ids.length === 1 ? { event: ids[0] } : {}) }
    await recordAudit(inside, { action: 'webhook.sent_again', teamId, subjectId, after })
    return count
  })
}
