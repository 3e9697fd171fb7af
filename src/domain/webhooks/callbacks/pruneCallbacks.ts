import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'

const batchSize = 1_000

/** Most went with their delivery; those whose delivery went with its partition are left. */
const old = statement<{ generationId: string }>(
  'prune_callbacks',
  `delete from callbacks where generation_id = any(array(
     select generation_id from callbacks where event_at < present() - $1 * interval '1 day' order by event_at limit ${batchSize}
       for update skip locked)) returning generation_id`,
)
const idleOrigins = statement<{ id: string }>(
  'prune_callback_origins',
  `delete from webhook_subscriptions where id = any(array(
     select s.id from webhook_subscriptions s
       where s.kind = 'callbacks' and s.address <> '' and s.deleted_at is null and s.created_at < present() - $1 * interval '1 day'
         and not exists (select from webhook_deliveries d where d.subscription_id = s.id)
         and s.id <> all(array(select subscription_id from callbacks where delivery_id is null))
       limit ${batchSize} for update skip locked)) returning id`,
)

/** Deletes callbacks whose delivery is older than the log, and origins without any. Returns their number. Locks: the rows, in batches. */
export async function pruneCallbacks({ sql }: Pick<Context, 'sql'>): Promise<number> {
  const pruned = await runInBatches(batchSize, async () => (await sql.all(old, [limits.deliveryLogDays])).length)
  return pruned + (await runInBatches(batchSize, async () => (await sql.all(idleOrigins, [limits.deliveryLogDays])).length))
}
