import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { closeOrphans } from './deleteSubscription.ts'

const rowsAtOnce = 2_000

const oldDeliveries = statement<{ id: string }>(
  'prune_deliveries',
  `with old as (
     delete from webhook_deliveries where id in (select id from webhook_deliveries where created_at < $1 limit ${rowsAtOnce})
       returning id, subscription_id, next_attempt_at
   ), unqueued as (
     delete from webhook_queue q using old
       where q.subscription_id = old.subscription_id and q.due_at = old.next_attempt_at and q.delivery_id = old.id
   )
   select id from old`,
)
const goneSubscriptions = statement<{ id: string }>(
  'prune_subscriptions',
  `delete from webhook_subscriptions s
     where s.deleted_at < $1 and not exists (select from webhook_deliveries d where d.subscription_id = s.id) returning s.id`,
)

const voidSecrets = statement<never>(
  'prune_webhook_secrets',
  'update webhook_subscriptions set older_secret = null, older_secret_until = null where older_secret_until < clock_timestamp()',
)

/**
 * Forgets what is older than the log is kept: deliveries with their attempts, and deleted subscriptions; and secrets
 * whose overlap is over. Returns how many deliveries went. Spec: Delivery log.
 */
export async function pruneDeliveries(context: Context): Promise<number> {
  await closeOrphans(context)
  await context.sql.all(voidSecrets, [])
  const before = new Date(context.clock.now().getTime() - limits.deliveryLogDays * 86_400_000)
  let pruned = 0
  for (;;) {
    const { length } = await context.sql.all(oldDeliveries, [before])
    pruned += length
    if (length < rowsAtOnce) break
  }
  await context.sql.all(goneSubscriptions, [before])
  return pruned
}
