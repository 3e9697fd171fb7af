import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

/** No request starts, ends or repeats work with an older identifier, so an empty month is retired after this, whatever the retention. */
const settledDays = 31

const retire = statement<{ retired: string | null }>('retire_partition', 'select retire_partition($1, $2, $3, $4) as retired')

type Retiring = { table: string; attempts: string; days: number; onlyEmpty: boolean }

/**
 * Retires the oldest partition of each table, one per run, so that a mistake cannot remove more: deliveries and generations past their
 * retention (generations are kept forever by default), and empty months. A partition with open rows stays. Rows of a retired partition are
 * no longer found; {@link sweepRetired} removes their objects and drops the table. Returns the names. Refusals: service_unavailable when a
 * lock was not free at once. Contract: docs/contract.md#kept-times.
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
           ) d where (s.paused or s.auto_paused_at is not null) limit ${rowsAtOnce}
       )) and retries_left is not null returning id`,
)

/** Fails deliveries that have waited for a paused subscription longer than the log is kept; otherwise they would keep their partition. */
async function closeExpired({ sql }: Context): Promise<void> {
  const values = [limits.deliveryLogDays, 'the subscription was paused for as long as its log is kept']
  await runInBatches(rowsAtOnce, async () => (await sql.all(closePaused, values)).length)
}

const sweep = statement<{ swept: string | null; next: 'on' | 'waits' | 'done' }>(
  'sweep_retired_partition',
  'select dropped as swept, next from sweep_retired_partition($1, $2)',
)

/** Limit of pending removals. Each is a job, and removals requested by people share the queue with them. */
const removalsMax = 10_000

/**
 * Cleans up retired partitions: queues the removal of their results' objects, some thousands at a time, then drops the tables. A call that
 * crashes or stops at the limit leaves the rest to the next call. Returns the names of the dropped tables.
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
