import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

const rowsAtOnce = 1_000

const pull = statement<{ moved: number }>('pull_forward', 'select pull_forward($1, $2) as moved')

/**
 * Makes due what waits for a time that no pause of ours explains: it was written while the database's clock was ahead. Jobs, deliveries,
 * locks of families and vendors, pauses of sign-ins. `webhookSeconds`: the longest pause between attempts of a delivery. Returns how many.
 */
export function rescheduleFarFutureRows({ sql }: Pick<Context, 'sql'>, { webhookSeconds }: { webhookSeconds: number }): Promise<number> {
  return runInBatches(rowsAtOnce, async () => (await sql.one(pull, [webhookSeconds, rowsAtOnce]))?.moved ?? 0)
}
