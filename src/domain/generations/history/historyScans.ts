import type { Generation } from '../../../entities/Generation.ts'
import { type Statement, statement } from '../../sql.ts'
import { generationColumns, type ListDetail, listedColumns } from '../reading/generationColumns.ts'
import { type ColumnFilter, columnFilters, filterColumns, scannedFilters } from './historyFilter.ts'

/**
 * The statements that scan a history by one index, newest first. Their first parameters are the owner, the identifier to start below, the
 * number of rows to scan, and the states.
 */
export type HistoryScan = {
  /** Returns the rows. The next parameter is the index value, if the index has a column. */
  page: Statement<Generation>
  /** Returns the scanned rows that match the filters (null matches all). The last parameter limits their number. */
  filterScan: Statement<FilteredRow>
  /** Counts the scanned rows that match the filters. Parameters: those of `filterScan` but the last. */
  count: Statement<HistoryCountRow>
  /** Counts the rows, reading only the index. The next parameter is the index value. */
  countIndexed: Statement<HistoryCountRow>
  /** Returns the identifier of the last row, if the full number of rows exists. The next parameter is the index value. */
  reach: Statement<{ id: string }>
}

/** A matching row, or nulls if none matches. `scannedTo`: the last scanned identifier, null at the end of the history. */
export type FilteredRow = { [Name in keyof Generation]: Generation[Name] | null } & { scannedTo: string | null }

/** The filter columns with their parameters, in this order after the first four. */
const filteredColumns = columnFilters.map((name, index) => ({ column: filterColumns[name].column, value: `$${index + 5}` }))
const scanned = Object.fromEntries(scannedFilters.map((name, index) => [name, `$${columnFilters.length + index + 5}`])) as Record<
  (typeof scannedFilters)[number],
  string
>
const scannedMatch = [
  `(${scanned.createdAfter}::timestamptz is null or created_at >= ${scanned.createdAfter})`,
  `(${scanned.createdBefore}::timestamptz is null or created_at < ${scanned.createdBefore})`,
  `(${scanned.metadata}::jsonb is null or metadata @> ${scanned.metadata})`,
  `(${scanned.userId}::text is null or user_id = ${scanned.userId})`,
  'is_found',
  `(${scanned.outputType}::text is null or output_type = ${scanned.outputType})`,
]
/**
 * Compared while a row is scanned, so that prompts are not collected. The cost of `ilike` grows with the product of both lengths, that of
 * `strpos` only with that of the prompt.
 */
const isFound = `${scanned.search}::text is null or strpos(lower(prompt), lower(${scanned.search})) > 0
  or strpos(lower(reference), lower(${scanned.search})) > 0`
const filterLimit = `$${columnFilters.length + scannedFilters.length + 5}`

/** `scannedTo`: the last scanned identifier, null at the end of the history. */
export type HistoryCountRow = { matches: number; scannedTo: string | null }

type Index = { column?: string; where?: string }

/**
 * Reads each state as one range of an index, backwards from its upper bound. This form makes the cost independent of other owners' rows:
 * - The range has no lower bound: PostgreSQL before 18 would scan on through rows of others. Surplus rows of others are joined away.
 * - An order by identifier with `owner_id = $1` would use the primary key, which also scans rows of others.
 * - The limit is a subquery, so that the planner cannot choose to fetch and sort a small expected number of rows.
 * - All states are read one by one, so that one index serves both cases.
 * `where` repeats the predicate of a partial index.
 */
function indexRanges(index: Index, { read, value }: { read: string; value: string }): string {
  return indexRange(index, { read, value, from: 'unnest($4::text[]) as asked (state)', limit: '(select $3::integer)' })
}

type Range = { read: string; value: string; from: string; limit: string }

function indexRange({ column, where }: Index, { read, value, from, limit }: Range): string {
  const [lead, ofLead, backwards] = column === undefined ? ['', '', ''] : [`${column}, `, `${value}, `, `${column} desc, `]
  const own = `of_state.state = asked.state and of_state.owner_id = $1${column === undefined ? '' : ` and of_state.${column} = ${value}`}`
  return `${from} join lateral (
    select ${read} from generations where ${where === undefined ? '' : `${where} and `}(${lead}state, owner_id, id) < (${ofLead}asked.state, $1, $2)
      order by ${backwards}state desc, owner_id desc, id desc limit ${limit}) as of_state on ${own}`
}

/**
 * Reads the newest `$3` rows of all states. A first pass over the index finds how many of them each state has. Without it, `$3` rows would
 * be fetched for each state, and rows of other owners where this owner has fewer.
 */
function newestRows(index: Index, { read, value }: { read: string; value: string }): string {
  const counted = `select of_state.state, of_state.id from ${indexRanges(index, { read: indexColumnsOf(index), value })} order by of_state.id desc limit $3`
  const states = `(select state, count(*) as row_count from (${counted}) as newest group by state offset 0) as asked`
  return indexRange(index, { read, value, from: states, limit: 'asked.row_count' })
}

const indexColumnsOf = ({ column }: Index) => `id, state, owner_id${column === undefined ? '' : `, ${column}`}`

function scanOf(name: string, index: Index, detail: ListDetail): HistoryScan {
  const suffix = detail === 'whole' ? '' : `_${detail}`
  const inOrder = 'order by of_state.id desc limit $3'
  const fits = [...filteredColumns.map(({ column, value }) => `(${value}::text is null or ${column} = ${value})`), ...scannedMatch]
  const names = [...filteredColumns.map(({ column }) => column), 'created_at', 'metadata', 'user_id', 'output_type']
  const value = filteredColumns.find(({ column }) => column === index.column)?.value ?? ''
  const compared = newestRows(index, { read: `id, state, owner_id, ${names.join(', ')}, (${isFound}) as is_found`, value })
  const comparedColumns = ['id', 'is_found', ...names].map((column) => `of_state.${column}`).join(', ')
  return {
    page: statement(
      `history_by_${name}${suffix}`,
      `select ${listedColumns(detail, 'of_state')} from ${indexRanges(index, { read: generationColumns, value: '$5' })} ${inOrder}`,
    ),
    filterScan: statement(
      `history_filtered_by_${name}${suffix}`,
      `with walked as materialized (select ${comparedColumns} from ${compared}), edge as (select min(id) as id from walked having count(*) >= $3)
         select edge.id as scanned_to, ${listedColumns(detail, 'g')} from (select) as always left join edge on true
             left join (select id from walked where ${fits.join(' and ')} order by id desc limit ${filterLimit}) fitting on true
             left join lateral (select * from generations where id = fitting.id offset 0) g on true
           order by g.id desc`,
    ),
    count: statement(
      `history_count_filtered_by_${name}${suffix}`,
      `select count(*) filter (where ${fits.map((each) => `(${each})`).join(' and ')})::integer as matches,
           case when count(*) >= $3 then min(id) end as scanned_to
         from (select ${comparedColumns} from ${compared}) as walked`,
    ),
    countIndexed: statement(
      `history_count_by_${name}`,
      `select count(*)::integer as matches, case when count(*) >= $3 then min(id) end as scanned_to
         from (select of_state.id from ${indexRanges(index, { read: indexColumnsOf(index), value: '$5' })} ${inOrder}) as walked`,
    ),
    reach: statement(
      `history_reach_by_${name}`,
      `select of_state.id from ${indexRanges(index, { read: indexColumnsOf(index), value: '$5' })} order by of_state.id desc limit 1 offset $3 - 1`,
    ),
  }
}

function scansFor(detail: ListDetail): Record<ColumnFilter | 'state', HistoryScan> {
  const scans = columnFilters.map((name) => [name, scanOf(filterColumns[name].column, filterColumns[name], detail)])
  return { state: scanOf('state', {}, detail), ...(Object.fromEntries(scans) as Record<ColumnFilter, HistoryScan>) }
}

export const historyScans = { whole: scansFor('whole'), prompt: scansFor('prompt'), brief: scansFor('brief') }
