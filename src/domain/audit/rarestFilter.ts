import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'

/** Filters of the audit log with an index of their own, alone and together with the action. */
export const filterColumns = ['team_id', 'actor_id', 'subject_id'] as const
export type FilterColumn = (typeof filterColumns)[number]

export type FilterValue = { column: FilterColumn; value: string }

/** Up to how many entries of each filter are counted. The next count is for filters that all have as many. */
const countedUpTo = [100, 10_000, 200_000]

type Counts = { counts: number[] }
const statements = new Map<string, Statement<Counts>>()

/** The order and the number keep PostgreSQL on the index, whatever it takes the filter to find. */
function counting(columns: FilterColumn[], { most, withAction }: { most: number; withAction: boolean }): Statement<Counts> {
  const name = ['count_audit', most, ...columns, ...(withAction ? ['action'] : [])].join('_')
  const known = statements.get(name)
  if (known) return known
  const ofAction = withAction ? `and action = $${columns.length + 1}` : ''
  const counts = columns.map(
    (column, index) => `(select count(*)::integer from (
       select from audit_entries where ${column} = $${index + 1} ${ofAction} order by at desc, id desc limit ${most}) as first_ones)`,
  )
  const made = statement<Counts>(name, `select array[${counts.join(', ')}] as counts`)
  statements.set(name, made)
  return made
}

/**
 * The filter that the fewest entries meet, together with the action where one is given. PostgreSQL plans a statement once for all values, and
 * would search for what a rare person did in all entries of a busy team.
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
  for (const most of countedUpTo) {
    const counts = (await sql.one(counting(columns, { most, withAction: action !== undefined }), values))?.counts ?? []
    const fewest = Math.min(...counts)
    rarest = filters[counts.indexOf(fewest)]
    if (fewest < most) break
  }
  return rarest?.column
}
