import { type Context, transaction } from '../../src/domain/context.ts'
import { statement } from '../../src/domain/sql.ts'

/** Both ways in which PostgreSQL plans a prepared statement: for the values at hand, and once for all values. */
export const planModes = ['force_custom_plan', 'force_generic_plan'] as const

const readSoFar = statement<{ tuples: number }>(
  'tuples_read',
  'select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as tuples from pg_stat_xact_user_tables where relname = $1',
)

/** How many rows of `table` PostgreSQL has looked at for `work`, those that it then left out included. */
export async function tuplesRead(
  context: Context,
  { table, planMode }: { table: string; planMode: (typeof planModes)[number] },
  work: (inside: Context) => Promise<unknown>,
): Promise<number> {
  return await transaction(context, async (inside) => {
    await inside.sql.all(statement<never>('plan_mode', `select set_config('plan_cache_mode', $1, true)`), [planMode])
    const before = (await inside.sql.one(readSoFar, [table]))?.tuples ?? 0
    await work(inside)
    return ((await inside.sql.one(readSoFar, [table]))?.tuples ?? 0) - before
  })
}
