import { limits } from '../../../contract/limits.ts'
import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { autoPausedWords } from './autoPausedWords.ts'
import { findSubscription } from './findSubscription.ts'

/**
 * Deletes a subscription. Its secrets are deleted at once, and nothing more is recorded or sent. Its log stays readable until it expires.
 * Returns false when it was already deleted. Refusals: invalid_request at `id`.
 * Contract: docs/contract.md#pause-and-deletion-of-a-webhook.
 */
export async function deleteSubscription(context: Context, id: string): Promise<boolean> {
  const found = await findSubscription(context, id)
  if (!found) throw unknownId('id', 'subscription')
  return await endSubscription(context, found, 'webhook.deleted')
}

/** Deletes a subscription of any kind, and closes its open deliveries. Returns false when it was already deleted. */
export async function endSubscription(
  context: Context,
  { id, teamId }: { id: string; teamId: string },
  action: 'webhook.deleted' | 'alert_subscription.deleted',
): Promise<boolean> {
  const gone = { deletedAt: context.clock.now(), secret: null, olderSecret: null, olderSecretUntil: null }
  const deleted = await transaction(context, async (inside) => {
    const count = await inside.em().nativeUpdate(WebhookSubscription, { id, deletedAt: null }, gone)
    if (count === 1) await recordAudit(inside, { action, teamId, subjectId: id })
    return count
  })
  await closeOrphanedDeliveries(context)
  return deleted === 1
}

const batchSize = 2_000
/** An attempt that began earlier ended without a report. */
const attemptSecondsMax = limits.webhookAnswerSeconds + 5

const isIdle = `d.retries_left is not null and coalesce(d.attempt_begun_at < statement_timestamp() - $2 * interval '1 second', true)`

/**
 * `locked` and `ended` read the newest rows under their locks: a delivery whose attempt began meanwhile, or whose webhook was resumed, stays
 * open.
 */
const closeAll = statement<{ id: string }>(
  'close_orphaned_deliveries',
  `with orphaned as (
     select d.id from webhook_subscriptions s cross join lateral (
         select d.id from webhook_deliveries d
           where d.subscription_id = s.id and ${isIdle} limit ${batchSize}
       ) d
       where s.deleted_at is not null or s.auto_paused_at is not null limit ${batchSize}
   ), locked as materialized (
     select d.id, d.subscription_id from webhook_deliveries d
       where d.id = any(array(select id from orphaned)) and ${isIdle} order by d.id for no key update of d
   ), ended as materialized (
     select s.id, s.deleted_at from webhook_subscriptions s
       where s.id = any(array(select subscription_id from locked)) and (s.deleted_at is not null or s.auto_paused_at is not null)
       order by s.id for share of s
   ), closed as (
     update webhook_deliveries d set state = 'failed', next_attempt_at = null, retries_left = null, attempt_begun_at = null,
         refusal = case when exists (select from ended e where e.id = d.subscription_id and e.deleted_at is not null) then $1 else $3 end,
         response_code = null, response_start = null
       where d.id = any(array(select l.id from locked l join ended e on e.id = l.subscription_id)) returning d.id
   ), called as (
     update callbacks c set state = 'failed' from closed where c.delivery_id = closed.id
   )
   select id from closed`,
)

/**
 * Closes the open deliveries of deleted and of auto-paused subscriptions, also those recorded while the deletion committed. Running
 * attempts are closed later. It has its own transaction. Returns the number of closed deliveries.
 * Locks: deliveries, then subscriptions, each in the order of identifiers, as the reports of attempts do.
 */
export async function closeOrphanedDeliveries(context: Context): Promise<number> {
  let closed = 0
  for (;;) {
    const { length } = await context.sql.all(closeAll, ['the subscription was deleted first', attemptSecondsMax, autoPausedWords])
    closed += length
    if (length < batchSize) return closed
  }
}
