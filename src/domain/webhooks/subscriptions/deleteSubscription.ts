import { limits } from '../../../contract/limits.ts'
import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { findSubscription } from './findSubscription.ts'

/**
 * Ends a subscription: its secrets are gone at once, nothing more is recorded or sent, and its log can be read until it runs out.
 * False when it was deleted before. Refusals: invalid_request at `id`. Contract: docs/contract.md#pause-and-deletion-of-a-webhook.
 */
export async function deleteSubscription(context: Context, id: string): Promise<boolean> {
  const found = await findSubscription(context, id)
  if (!found) throw unknownId('id', 'subscription')
  const gone = { deletedAt: context.clock.now(), secret: null, olderSecret: null, olderSecretUntil: null }
  const deleted = await transaction(context, async (inside) => {
    const count = await inside.em().nativeUpdate(WebhookSubscription, { id, deletedAt: null }, gone)
    if (count === 1) await recordAudit(inside, { action: 'webhook.deleted', teamId: found.teamId, subjectId: id })
    return count
  })
  await closeOrphanedDeliveries(context)
  return deleted === 1
}

const rowsAtOnce = 2_000
/** One that began longer ago has ended without a word. */
const attemptSecondsMax = limits.webhookAnswerSeconds + 5

const closeAll = statement<{ id: string }>(
  'close_orphaned_deliveries',
  `with orphaned as (
     select d.id from webhook_subscriptions s cross join lateral (
         select d.id from webhook_deliveries d
           where d.subscription_id = s.id and d.retries_left is not null
             and coalesce(d.attempt_begun_at < statement_timestamp() - $2 * interval '1 second', true) limit ${rowsAtOnce}
       ) d
       where s.deleted_at is not null limit ${rowsAtOnce}
   )
   update webhook_deliveries d set state = 'failed', next_attempt_at = null, retries_left = null, attempt_begun_at = null,
       refusal = $1, response_code = null, response_start = null
     where d.id = any(array(select id from orphaned)) and d.retries_left is not null returning d.id`,
)

/**
 * Closes what deleted subscriptions have left open, also what an ending recorded in the moment of the deletion; an attempt under way
 * is waited for. Apart from the deletion itself: those who record attempts take deliveries before subscriptions. Returns how many.
 */
export async function closeOrphanedDeliveries(context: Context): Promise<number> {
  let closed = 0
  for (;;) {
    const { length } = await context.sql.all(closeAll, ['the subscription was deleted first', attemptSecondsMax])
    closed += length
    if (length < rowsAtOnce) return closed
  }
}
