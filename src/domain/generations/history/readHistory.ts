import type { Generation } from '../../../entities/Generation.ts'
import { type Sql, type Statement, statement } from '../../sql.ts'
import { toJsonbText } from '../../toJsonbText.ts'
import { type ListDetail, listedColumns } from '../reading/generationColumns.ts'
import { columnFilters, type FilterColumn, filterColumns, type HistoryFilter, idBounds, scannedFilters, statesIn } from './historyFilter.ts'
import { type FilteredRow, type HistoryScan, historyScans } from './historyScans.ts'

/** The statement for a history without filters: one range, read as in {@link historyScans}. */
function newestOf(name: string, detail: ListDetail): Statement<Generation> {
  return statement(
    name,
    `select ${listedColumns(detail, 'g')} from generations g where owner_id >= $1 and (owner_id, id) < ($1, $2)
       order by owner_id desc, id desc limit (select $3::integer)`,
  )
}

const newest = {
  whole: newestOf('history', 'whole'),
  prompt: newestOf('history_prompt', 'prompt'),
  brief: newestOf('history_brief', 'brief'),
}

/** The numbers of rows scanned for matches: first a few, since most rows match, then the maximum for one answer. */
const scanRowLimits = [250, 2000] as const
/** The same for a search, which reads prompts of up to 20,000 characters. */
const searchRowLimits = [100, 400] as const
/** The number of rows by which scans are compared. */
const probedRows = 200

type Place = { ownerId: string; belowId: string; rowsMax: number; detail?: ListDetail }
type ScanChoice = { scan: HistoryScan; value: string | null }

/**
 * Reads the newest `rowsMax` rows of a history below an identifier. If no index covers all filters, it scans a bounded number of rows:
 * `resumeAt` is then the last scanned identifier if too few rows matched, otherwise null. `detail`: the columns to read; default all.
 */
export async function readHistory(
  { sql }: { sql: Sql },
  filter: HistoryFilter,
  place: Place,
): Promise<{ rows: Generation[]; resumeAt: string | null }> {
  const states = statesIn(filter)
  const { ownerId, rowsMax, detail = 'whole' } = place
  if (states.length === 0 || (filter.keyId !== null && filter.source === 'editor')) return { rows: [], resumeAt: null }
  const belowId = startOf(filter, place)
  const isScanned = scannedFilters.some((name) => filter[name] !== null)
  const candidates = candidateScans(filter, detail)
  const filterCount = columnFilters.filter((name) => filter[name] !== null).length
  if (filterCount === 0 && !isScanned && filter.state === null && filter.status === null) {
    return { rows: await sql.all(newest[detail], [ownerId, belowId, rowsMax]), resumeAt: null }
  }
  const choice = candidates.length === 1 && candidates[0] ? candidates[0] : await farthest(sql, candidates, { ...place, belowId, states })
  if (isScanned || filterCount > (choice.value === null ? 0 : 1))
    return await filterRows(sql, filter, choice, { ...place, belowId, states })
  const values = [ownerId, belowId, rowsMax, states, ...(choice.value === null ? [] : [choice.value])]
  return { rows: await sql.all(choice.scan.page, values), resumeAt: null }
}

/** The place to start below: where the page begins, or the bound of the filter by time. */
function startOf(filter: HistoryFilter, { belowId }: Pick<Place, 'belowId'>): string {
  const { below } = idBounds(filter)
  return below !== null && below < belowId ? below : belowId
}

/** A selective index is used alone. Otherwise several indexes are compared; the last column wins a tie. */
function candidateScans(filter: HistoryFilter, detail: ListDetail): ScanChoice[] {
  const scans = historyScans[detail]
  const candidates: ScanChoice[] = []
  for (const name of columnFilters.toReversed()) {
    const [value, index]: [string | null, FilterColumn] = [filter[name], filterColumns[name]]
    if (value === null || value === index.unindexed) continue
    if (index.isSelective) return [{ scan: scans[name], value }]
    candidates.push({ scan: scans[name], value })
  }
  return candidates.length > 0 ? candidates : [{ scan: scans.state, value: null }]
}

/** The scan that reaches farthest back with the same number of rows, and so skips the fewest. */
async function farthest(
  sql: Sql,
  candidates: ScanChoice[],
  { ownerId, belowId, states }: Place & { states: readonly string[] },
): Promise<ScanChoice> {
  const reached = await Promise.all(
    candidates.map(async (choice) => {
      const row = await sql.one(choice.scan.reach, [ownerId, belowId, probedRows, states, choice.value])
      return { choice, reach: row?.id ?? '' }
    }),
  )
  return reached.reduce((best, each) => (each.reach < best.reach ? each : best)).choice
}

async function filterRows(
  sql: Sql,
  filter: HistoryFilter,
  { scan }: ScanChoice,
  { ownerId, belowId, rowsMax, states }: Place & { states: readonly string[] },
): Promise<{ rows: Generation[]; resumeAt: string | null }> {
  const rows: Generation[] = []
  const oldest = idBounds(filter).from
  const metadata = filter.metadata && toJsonbText(filter.metadata)
  let from = belowId
  const scanned = [filter.createdAfter, filter.createdBefore, metadata, filter.userId, filter.search]
  for (const rowLimit of filter.search === null ? scanRowLimits : searchRowLimits) {
    const wanted = [...columnFilters.map((name) => filter[name]), ...scanned, rowsMax - rows.length]
    const found = await sql.all(scan.filterScan, [ownerId, from, rowLimit, states, ...wanted])
    rows.push(...found.filter((row): row is Generation & FilteredRow => row.id !== null))
    const scannedTo = found[0]?.scannedTo ?? null
    if (rows.length === rowsMax || scannedTo === null || (oldest !== null && scannedTo < oldest)) return { rows, resumeAt: null }
    from = scannedTo
  }
  return { rows, resumeAt: from }
}
