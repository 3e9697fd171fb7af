import type { Context } from '../context.ts'
import { partitionedTables } from '../partitionedTables.ts'
import { statement } from '../sql.ts'

/** Limit of the row count of a default partition. */
const countedMax = 10_000

/** Checks periods from 30 days ago, which are never retired, to the next period or the last partition, at most two years ahead. */
const missing = statement<{ tableName: string; periods: string; since: Date | null }>(
  'partitions_missing',
  `with made as materialized (
     select t.table_name, p.from_id, p.until_id from partitioned_tables() t cross join lateral partitions_of(t.table_name) p where not p.is_default
   ), periods as materialized (
     select t.table_name, starts, starts <= today + length as is_near, first_id(t.prefix, starts at time zone 'UTC') as from_id,
         first_id(t.prefix, (starts + length) at time zone 'UTC') as until_id
       from partitioned_tables() t
         cross join lateral (select ('1 ' || t.period)::interval as length, present() at time zone 'UTC' as today) as one
         cross join lateral generate_series(date_trunc(t.period, today - interval '30 days'), today + interval '2 years', length) as starts
   )
   select table_name, string_agg(to_char(starts, 'YYYY-MM-DD'), ', ' order by starts) as periods,
       min(starts at time zone 'UTC') filter (where starts at time zone 'UTC' <= present()) as since from periods
     where (is_near or from_id < (select max(made.until_id) from made where made.table_name = periods.table_name))
       and not exists (select from made where made.table_name = periods.table_name
         and (made.from_id is null or made.from_id < periods.until_id) and made.until_id > periods.from_id)
     group by 1 order by 1`,
)
const strays = (table: string) =>
  statement<{ rows: number }>(
    `rows_in_default_of_${table}`,
    `select count(*)::integer as rows from (select from ${table}_default limit ${countedMax}) as found`,
  )
const left = statement<{ name: string; since: Date }>(
  'partitions_left',
  `select name, retired_at + interval '7 days' as since from retired_partitions
     where dropped_at is null and retired_at < present() - interval '7 days' order by name limit 10`,
)

/** `since`: when the first missing period began, or when a retired partition should have been dropped. */
type PartitionFault = { words: string; since?: Date | undefined }

/**
 * Describes faults of the partitions for the operator: a current or coming partition is missing, rows are in a default partition (the clock
 * of a process was wrong, or no maintenance ran for months), or a retired partition is not dropped. Changes nothing.
 */
export async function partitionFaults({ sql }: Pick<Context, 'sql'>): Promise<PartitionFault[]> {
  const faults: PartitionFault[] = (await sql.all(missing, [])).map(({ tableName, periods, since }) => ({
    words: `${tableName}: no partition for the period from ${periods}; maintenance does not run or fails: see its log`,
    since: since ?? undefined,
  }))
  for (const table of partitionedTables) {
    const rows = (await sql.one(strays(table), []))?.rows ?? 0
    if (rows === 0) continue
    const counted = `${rows}${rows === countedMax ? ' rows or more' : rows === 1 ? ' row' : ' rows'}`
    faults.push({ words: `${table}: ${counted} in the default partition; a clock was wrong, or no maintenance ran` })
  }
  const retired = await sql.all(left, [])
  return [...faults, ...retired.map(({ name, since }) => ({ words: `${name}: retired more than a week ago and not yet dropped`, since }))]
}
