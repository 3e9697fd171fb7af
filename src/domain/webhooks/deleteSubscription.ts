import { WebhookSubscription } from '../../entities/WebhookSubscription.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { unknownId } from '../unknownId.ts'
import { findSubscription } from './findSubscription.ts'

/**
 * Ends a subscription: its secrets are gone at once, nothing more is recorded or sent, and its log can be read until it runs out.
 * False when it was deleted before. Refusals: invalid_request at `id`. Contract: section 6, deleteWebhookSubscription.
 */
export async function deleteSubscription(context: Context, id: string): Promise<boolean> {
  if (!(await findSubscription(context, id))) throw unknownId('id', 'subscription')
  const gone = { deletedAt: context.clock.now(), secret: null, olderSecret: null, olderSecretUntil: null }
  const deleted = await context.em().nativeUpdate(WebhookSubscription, { id, deletedAt: null }, gone)
  await closeOrphans(context)
  return deleted === 1
}

const closeAll = statement<{ id: string }>(
  'close_orphaned_deliveries',
  `with orphaned as (
     delete from webhook_queue q using webhook_subscriptions s
       where s.id = q.subscription_id and s.deleted_at is not null
         and not exists (select from webhook_leases l where l.subscription_id = q.subscription_id and l.delivery_id = q.delivery_id)
       returning q.delivery_id
   )
   update webhook_deliveries d set state = 'failed', next_attempt_at = null, refusal = $1, response_code = null, response_start = null
     from orphaned o where d.id = o.delivery_id returning d.id`,
)

/**
 * Closes what deleted subscriptions have left open, also what an ending recorded in the moment of the deletion; an attempt under way
 * is waited for. Apart from the deletion itself: those who record attempts take deliveries before subscriptions.
 */
export async function closeOrphans(context: Context): Promise<number> {
  return (await context.sql.all(closeAll, ['the subscription was deleted first'])).length
}
