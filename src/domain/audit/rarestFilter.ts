import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'

/** Columns of the audit log that have an index, alone and together with the action. */
export const filterColumns = ['team_id', 'actor_id', 'subject_id'] as const
export type FilterColumn = (typeof filterColumns)[number]

export type FilterValue = { column: FilterColumn; value: string }

/** Limits of the counts. The next higher limit applies only when every filter reaches the lower one. */
const countLimits = [100, 10_000, 200_000]

type Counts = { counts: number[] }
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
    (column, index) => `(select count(*)::integer from (
       select from audit_entries where ${selectiveEquality(column, `$${index + 1}`)} ${ofAction}
         order by at desc, id desc limit ${most}) as first_ones)`,
  )
  const created = statement<Counts>(name, `select array[${counts.join(', ')}] as counts`)
  statements.set(name, created)
  return created
}

/**
 * Returns the filter that the fewest entries match, together with the action if one is given. PostgreSQL plans a prepared statement once
 * for all values; it would scan all entries of a busy team to find those of a rare actor.
 */
export async function rarestFilter(
  { sql }: Pick<Context, 'sql'>,
  filters: FilterValue[],
  action: string | undefined,
): Promise<FilterColumn | undefined> {
  let [rarest] = filters
  if (filters.length < 2) return rarest?.column
  const columns = filters.map(({ column }) => column)
  const values = [...filters.map(({ value }) => value), ...(action === undefined ? [] : [action])]
  for (const most of countLimits) {
    const counts = (await sql.one(countStatement(columns, { most, withAction: action !== undefined }), values))?.counts ?? []
    const fewest = Math.min(...counts)
    rarest = filters[counts.indexOf(fewest)]
    if (fewest < most) break
  }
  return rarest?.column
}
