import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

/** Nobody starts, ends or repeats anything under an identifier that is so old. Empty months go then, however long history is kept. */
const settledDays = 31

const retire = statement<{ retired: string | null }>('retire_partition', 'select retire_partition($1, $2, $3, $4) as retired')

type Retiring = { table: string; attempts: string; days: number; onlyEmpty: boolean }

/**
 * Forgets whole partitions, the oldest of each table, so that a mistake takes no more: deliveries that are older than the log is kept,
 * generations that are older than history is (for ever, unless the operator has said otherwise), and months of which nothing is left. What
 * still has something open in it waits. From here on nothing of them is found; {@link sweepRetired} clears up behind them. Returns their
 * names. Refusals: service_unavailable where a lock could not be had in a moment. Contract: docs/contract.md#kept-times.
 */
export async function retirePartitions(context: Context): Promise<string[]> {
  const { historyRetentionDays } = context.settings
  await closeExpired(context)
  const generations = { table: 'generations', attempts: 'generation_attempts' }
  const deliveries = { table: 'webhook_deliveries', attempts: 'webhook_attempts' }
  const retired = [
    await retireOldest(context, { ...deliveries, days: limits.deliveryLogDays, onlyEmpty: false }),
    (historyRetentionDays !== undefined &&
      (await retireOldest(context, { ...generations, days: historyRetentionDays, onlyEmpty: false }))) ||
      (await retireOldest(context, { ...generations, days: settledDays, onlyEmpty: true })),
  ]
  return retired.filter((name) => name !== undefined)
}

async function retireOldest({ sql }: Context, { table, attempts, days, onlyEmpty }: Retiring): Promise<string | undefined> {
  return (await sql.one(retire, [table, attempts, days, onlyEmpty]))?.retired ?? undefined
}

const rowsAtOnce = 2_000

const closePaused = statement<{ id: string }>(
  'close_expired_deliveries',
  `update webhook_deliveries set state = 'failed', next_attempt_at = null, retries_left = null, attempt_begun_at = null,
       refusal = $2, response_code = null, response_start = null
     where id = any(array(
         select d.id from webhook_subscriptions s cross join lateral (
             select id from webhook_deliveries where subscription_id = s.id and retries_left is not null
               and id < first_id('evt', present() - $1 * interval '1 day') limit ${rowsAtOnce}
           ) d where s.paused limit ${rowsAtOnce}
       )) and retries_left is not null returning id`,
)

/** What waits for the end of a pause waits as long as the log is kept: a subscription that is never resumed keeps no partition. */
async function closeExpired({ sql }: Context): Promise<void> {
  const values = [limits.deliveryLogDays, 'the subscription was paused for as long as its log is kept']
  await runInBatches(rowsAtOnce, async () => (await sql.all(closePaused, values)).length)
}

const sweep = statement<{ swept: string | null; next: 'on' | 'waits' | 'done' }>(
  'sweep_retired_partition',
  'select dropped as swept, next from sweep_retired_partition($1, $2)',
)

/** Removals that wait at once: each is a job, and those of what people delete stand in the same line. */
const removalsMax = 10_000

/**
 * Clears up behind retired partitions: queues the removal of the objects that their results have, some thousands at a time, and then
 * drops the tables. Whoever dies in the middle, or leaves off since enough is queued, leaves the rest to the next call. Returns the names
 * of the tables dropped.
 */
export async function sweepRetired({ sql }: Pick<Context, 'sql'>, { signal }: { signal: AbortSignal }): Promise<string[]> {
  const dropped: string[] = []
  while (!signal.aborted) {
    const swept = await sql.one(sweep, [rowsAtOnce, removalsMax])
    if (swept?.swept) dropped.push(swept.swept)
    if (swept?.next !== 'on') break
  }
  return dropped
}
