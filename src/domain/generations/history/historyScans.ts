import type { Generation } from '../../../entities/Generation.ts'
import { type Statement, statement } from '../../sql.ts'
import { generationColumns, type ListDetail, listedColumns } from '../reading/generationColumns.ts'
import { type ColumnFilter, columnFilters, filterColumns } from './historyFilter.ts'

/**
 * How one index leads through a history, newest first. All three take the owner, the identifier to begin below, how many rows to walk,
 * and the states; what follows is said of each.
 */
export type HistoryScan = {
  /** The rows themselves. Then comes the value that the index is of, for those that have one. */
  page: Statement<Generation>
  /** The rows walked that fit source, family, key and reference (null fits all), at most as many as the last value says. */
  filterScan: Statement<FilteredRow>
  /** The identifier of the last row, when there are as many to walk as asked for. Then comes the value that the index is of. */
  reach: Statement<{ id: string }>
}

/** A row that fits, or none at all. `scannedTo`: the last identifier that was walked, null when that was the end of the history. */
export type FilteredRow = { [Name in keyof Generation]: Generation[Name] | null } & { scannedTo: string | null }

/** The columns that rows are sifted by, each with its parameter; `sift` gives them in this order after the first four. */
const siftedColumns = columnFilters.map((name, index) => ({ column: filterColumns[name].column, value: `$${index + 5}` }))
const siftLimit = `$${columnFilters.length + 5}`

type Index = { column?: string; where?: string }

/**
 * Each state is a stretch of an index, read backwards from its upper bound for as many rows as are asked for, whatever the table holds of
 * others and whatever is known of it; behind a shorter one come those of others, which are let go. A lower bound would keep them out, but
 * PostgreSQL before 18 goes on looking behind it through everybody's rows. Nor does the order by identifier alone do, under
 * `owner_id = $1`, since the primary key serves it and walks them too; and a limit that the planner cannot see keeps it from fetching and
 * sorting what it takes for a handful. By state even where all are asked for, since one index serves both so. `where` says what comparing
 * rows does not: that a partial index holds them.
 */
function indexRanges({ column, where }: Index, { read, value }: { read: string; value: string }): string {
  const [lead, ofLead, backwards] = column === undefined ? ['', '', ''] : [`${column}, `, `${value}, `, `${column} desc, `]
  const own = `of_state.state = asked.state and of_state.owner_id = $1${column === undefined ? '' : ` and of_state.${column} = ${value}`}`
  return `unnest($4::text[]) as asked (state) join lateral (
    select ${read} from generations where ${where === undefined ? '' : `${where} and `}(${lead}state, owner_id, id) < (${ofLead}asked.state, $1, $2)
      order by ${backwards}state desc, owner_id desc, id desc limit (select $3::integer)) as of_state on ${own}`
}

function way(name: string, index: Index, detail: ListDetail): HistoryScan {
  const suffix = detail === 'whole' ? '' : `_${detail}`
  const inOrder = 'order by of_state.id desc limit $3'
  const fits = siftedColumns.map(({ column, value }) => `(${value}::text is null or ${column} = ${value})`)
  const names = siftedColumns.map(({ column }) => column)
  const indexValue = siftedColumns.find(({ column }) => column === index.column)?.value ?? ''
  return {
    page: statement(
      `history_by_${name}${suffix}`,
      `select ${listedColumns(detail, 'of_state')} from ${indexRanges(index, { read: generationColumns, value: '$5' })} ${inOrder}`,
    ),
    filterScan: statement(
      `history_sifted_by_${name}${suffix}`,
      `with walked as materialized (
           select of_state.id, ${names.map((column) => `of_state.${column}`).join(', ')}
             from ${indexRanges(index, { read: `id, state, owner_id, ${names.join(', ')}`, value: indexValue })} ${inOrder}
         ), edge as (select min(id) as id from walked having count(*) >= $3)
         select edge.id as scanned_to, ${listedColumns(detail, 'g')} from (select) as always left join edge on true
             left join (select id from walked where ${fits.join(' and ')} order by id desc limit ${siftLimit}) fitting on true
             left join lateral (select * from generations where id = fitting.id offset 0) g on true
           order by g.id desc`,
    ),
    reach: statement(
      `history_reach_by_${name}`,
      `select of_state.id from ${indexRanges(index, { read: `id, state, owner_id${index.column ? `, ${index.column}` : ''}`, value: '$5' })} order by of_state.id desc limit 1 offset $3 - 1`,
    ),
  }
}

function scansFor(detail: ListDetail): Record<ColumnFilter | 'state', HistoryScan> {
  const scans = columnFilters.map((name) => [name, way(filterColumns[name].column, filterColumns[name], detail)])
  return { state: way('state', {}, detail), ...(Object.fromEntries(scans) as Record<ColumnFilter, HistoryScan>) }
}

export const historyScans = { whole: scansFor('whole'), prompt: scansFor('prompt'), brief: scansFor('brief') }
