import type { Context } from '../context.ts'
import { partitionedTables } from '../partitionedTables.ts'
import { statement } from '../sql.ts'

/** More strays than these are not counted. */
const countedMax = 10_000

const missing = statement<{ tableName: string }>(
  'partitions_missing',
  `select t.table_name from partitioned_tables() t
     where (select coalesce(max(p.until_id), '') from partitions_of(t.table_name) p)
       <= first_id(t.prefix, (date_trunc(t.period, present() at time zone 'UTC') + ('1 ' || t.period)::interval) at time zone 'UTC')
     order by 1`,
)
const strays = (table: string) =>
  statement<{ rows: number }>(
    `rows_in_default_of_${table}`,
    `select count(*)::integer as rows from (select from ${table}_default limit ${countedMax}) as found`,
  )
const left = statement<{ name: string }>(
  'partitions_left',
  `select name from retired_partitions where dropped_at is null and retired_at < present() - interval '7 days' order by name limit 10`,
)

/**
 * What an operator should know of the partitions, in sentences: those of the next period are missing, rows lie in a default partition
 * (the clock of a process was wrong, or no maintenance ran for months), or what was retired is not cleared up. Changes nothing.
 */
export async function partitionFaults({ sql }: Pick<Context, 'sql'>): Promise<string[]> {
  const faults = (await sql.all(missing, [])).map(
    ({ tableName }) => `${tableName}: the partition of the next period is missing; no maintenance runs, or it fails: see its log`,
  )
  for (const table of partitionedTables) {
    const rows = (await sql.one(strays(table), []))?.rows ?? 0
    if (rows === 0) continue
    faults.push(
      `${table}: ${rows}${rows === countedMax ? ' rows or more' : rows === 1 ? ' row' : ' rows'} in the default partition; a clock was wrong, or no maintenance ran`,
    )
  }
  return [...faults, ...(await sql.all(left, [])).map(({ name }) => `${name}: retired more than a week ago and not yet cleared up`)]
}
