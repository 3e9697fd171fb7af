import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

const rowsAtOnce = 1_000

const pull = statement<{ moved: number }>('reschedule_far_future', 'select reschedule_far_future($1, $2) as moved')

/**
 * Makes rows due whose time is further away than any delay in the code: the database's clock was ahead when they were written. Covers
 * jobs, deliveries, locks of families and vendors, and sign-in delays. `webhookSeconds` is the longest delay between two attempts of a
 * delivery. Returns how many rows changed.
 */
export function rescheduleFarFutureRows({ sql }: Pick<Context, 'sql'>, { webhookSeconds }: { webhookSeconds: number }): Promise<number> {
  return runInBatches(rowsAtOnce, async () => (await sql.one(pull, [webhookSeconds, rowsAtOnce]))?.moved ?? 0)
}
