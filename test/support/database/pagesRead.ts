import { type Context, transaction } from '../../../src/domain/context.ts'
import { statement } from '../../../src/domain/sql.ts'

/** The plan mode of statements: generic plans, see src/database/pool/pool.ts. */
export const planModes = ['force_generic_plan'] as const

export const readSoFar = statement<{ pages: number }>(
  'pages_read',
  `with tables as (select $1::regclass as relid union all select inhrelid from pg_inherits where inhparent = $1::regclass)
   select sum(pg_stat_get_xact_blocks_fetched(relid)) as pages
     from (select relid from tables union all select indexrelid from pg_index where indrelid in (select relid from tables)) as parts`,
)

/** The pages of `table` and its indexes that PostgreSQL has read for `work`. */
export async function pagesRead(
  context: Context,
  { table, planMode }: { table: string; planMode: (typeof planModes)[number] },
  work: (inside: Context) => Promise<unknown>,
): Promise<number> {
  return await transaction(context, async (inside) => {
    await inside.sql.all(statement<never>('plan_mode', `select set_config('plan_cache_mode', $1, true)`), [planMode])
    const before = (await inside.sql.one(readSoFar, [table]))?.pages ?? 0
    await work(inside)
    return ((await inside.sql.one(readSoFar, [table]))?.pages ?? 0) - before
  })
}
