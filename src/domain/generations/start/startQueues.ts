import type { Context } from '../../context.ts'
import type { StartQueueKey } from '../../queue.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'

const fill = statement<never>('refill_start_queue', 'select refill_start_queue($1, $2)')

/** Queues parked starts of one start queue while it has room. See `migrations/functions/refill_start_queue.sql`. */
export async function fillStartLine(context: Context, { familyId, ownerId }: StartQueueKey): Promise<void> {
  await context.sql.one(fill, [familyId, ownerId])
}

const queuesAtOnce = 200
/** Starts of one queue that leave it in one run, if the family has left the catalog. */
const unknownAtOnce = 500

/** Start queues with parked work. Each is found by one index probe, regardless of its length. */
const queuesWithParkedStarts = statement<StartQueueKey>(
  'queues_with_parked_starts',
  `with recursive line as (
     (select family_id, owner_id from waiting_starts where rank is null and (family_id, owner_id) > ($1, $2)
        order by family_id, owner_id limit 1)
     union all
     select next.family_id, next.owner_id from line cross join lateral (
       select w.family_id, w.owner_id from waiting_starts w
         where w.rank is null and (w.family_id, w.owner_id) > (line.family_id, line.owner_id) order by w.family_id, w.owner_id limit 1) as next
   ) select family_id, owner_id from line limit ${queuesAtOnce}`,
)
/** Start queues without a head. Their starts would wait behind the heads of all other owners. */
const headlessQueues = statement<StartQueueKey>(
  'headless_start_queues',
  `select family_id, owner_id from waiting_starts where rank is not null group by family_id, owner_id having min(rank) > 1 limit ${queuesAtOnce}`,
)
const dequeueUnknown = statement<{ generationId: string }>(
  'dequeue_unknown_starts',
  `delete from waiting_starts where generation_id in (
     select generation_id from waiting_starts where family_id = $1 and owner_id = $2 and rank is null
       order by since, generation_id limit ${unknownAtOnce} for update skip locked)
     returning generation_id`,
)

/**
 * Repairs start queues whose jobs were lost. Parked work of a family that has left the catalog gets a job at once, which fails it within
 * minutes. In its queue, each start would wait for the failure of the one before.
 */
export async function repairStartQueues(context: Context): Promise<void> {
  for (const queue of await context.sql.all(headlessQueues, [])) await fillStartLine(context, queue)
  for (let after: StartQueueKey = { familyId: '', ownerId: '' }; ; ) {
    const queues = await context.sql.all(queuesWithParkedStarts, [after.familyId, after.ownerId])
    for (const queue of queues) {
      if (context.catalog.families.has(queue.familyId)) await fillStartLine(context, queue)
      else await context.sql.all(dequeueUnknown, [queue.familyId, queue.ownerId])
    }
    const last = queues.at(-1)
    if (!last || queues.length < queuesAtOnce) return
    after = last
  }
}

const servedRowsAtOnce = 5_000

const oldServedTimes = statement<{ ownerId: string }>(
  'prune_owner_turns',
  `delete from owner_turns t using (
     select family_id, owner_id from owner_turns where served_at < now() - interval '1 day' order by served_at
       limit ${servedRowsAtOnce} for update skip locked
   ) old where t.family_id = old.family_id and t.owner_id = old.owner_id returning t.owner_id`,
)

/** Deletes served times older than a day, in batches. Returns their number. */
export function pruneOwnerServedTimes(context: Context): Promise<number> {
  return runInBatches(servedRowsAtOnce, async () => (await context.sql.all(oldServedTimes, [])).length)
}
