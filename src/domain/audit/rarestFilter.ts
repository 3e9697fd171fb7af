import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'

/** Columns of the audit log that have an index, alone and together with the action. */
export const filterColumns = ['team_id', 'actor_id', 'subject_id'] as const
export type FilterColumn = (typeof filterColumns)[number]

export type FilterValue = { column: FilterColumn; value: string }

/** Limits of the counts. The next higher limit applies only when every filter reaches the lower one. */
const countLimits = [100, 10_000]

/** `reached`: the time of the oldest counted entry, in seconds. */
type Counts = { counts: number[]; reached: (number | null)[] }
const statements = new Map<string, Statement<Counts>>()

/**
 * SQL: an equality that the planner estimates as selective, so that it uses the index of the column. `between` changes only the estimate.
 * Without it, if almost all rows have one value in the column, the planner reads the log by time until a page is full.
 */
export function selectiveEquality(column: string, value: string): string {
  return `${column} = ${value} and ${column} between ${value} and ${value}`
}

/** `order by` and `limit` make PostgreSQL use the index, whatever its row estimate is. */
function countStatement(columns: FilterColumn[], { most, withAction }: { most: number; withAction: boolean }): Statement<Counts> {
  const name = ['count_audit', most, ...columns, ...(withAction ? ['action'] : [])].join('_')
  const cached = statements.get(name)
  if (cached) return cached
  const ofAction = withAction ? `and ${selectiveEquality('action', `$${columns.length + 1}`)}` : ''
  const counts = columns.map(
    (column, index) => `(select count(*)::integer as count, extract(epoch from min(at))::float8 as reached from (
       select at from audit_entries where ${selectiveEquality(column, `$${index + 1}`)} ${ofAction}
         order by at desc, id desc limit ${most}) as first_ones) as of_${column}`,
  )
  const arrayOf = (figure: string) => `array[${columns.map((column) => `of_${column}.${figure}`).join(', ')}] as`
  const created = statement<Counts>(
    name,
    `select ${arrayOf('count')} counts, ${arrayOf('reached')} reached from ${counts.join(' cross join ')}`,
  )
  statements.set(name, created)
  return created
}

/**
 * Returns the filter that the fewest entries match, together with the action if one is given; if many match each, the filter whose newest
 * 10,000 entries reach farthest back. PostgreSQL plans a prepared statement once for all values; it would scan all entries of a busy team
 * to find those of a rare actor.
 */
export async function rarestFilter(
  { sql }: Pick<Context, 'sql'>,
  filters: FilterValue[],
  action: string | undefined,
): Promise<FilterColumn | undefined> {
  if (filters.length < 2) return filters[0]?.column
  const columns = filters.map(({ column }) => column)
  const values = [...filters.map(({ value }) => value), ...(action === undefined ? [] : [action])]
  let rarest = 0
  for (const most of countLimits) {
    const found = await sql.one(countStatement(columns, { most, withAction: action !== undefined }), values)
    const { counts, reached } = found ?? { counts: [], reached: [] }
    const fewest = Math.min(...counts)
    if (fewest < most) return columns[counts.indexOf(fewest)]
    rarest = reached.indexOf(Math.min(...reached.map(Number)))
  }
  return columns[rarest]
}
