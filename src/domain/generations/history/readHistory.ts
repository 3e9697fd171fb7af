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
/** The numbers of rows scanned for a count: 0.3 s at most, measured with an index whose rows are far apart. */
const countedRows = { compared: 20_000, searched: 2000 }
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
  if (matchesNothing(filter)) return { rows: [], resumeAt: null }
  const belowId = startOf(filter, place)
  const filterCount = columnFilters.filter((name) => filter[name] !== null).length
  if (filterCount === 0 && !isScanned(filter) && filter.state === null && filter.status === null) {
    return { rows: await sql.all(newest[detail], [ownerId, belowId, rowsMax]), resumeAt: null }
  }
  const choice = await chooseScan(sql, filter, { ...place, belowId, detail })
  if (!isCoveredBy(choice, filter)) return await filterRows(sql, filter, choice, { ...place, belowId, states })
  const values = [ownerId, belowId, rowsMax, states, ...indexValue(choice)]
  return { rows: await sql.all(choice.scan.page, values), resumeAt: null }
}

/**
 * Counts the rows of a history that match. It scans a bounded number of rows, newest first, so `isComplete` is false when older rows were
 * not compared. `rowsMax`: the bound, for tests.
 */
export async function countHistory(
  { sql }: { sql: Sql },
  filter: HistoryFilter,
  { rowsMax, ...place }: { ownerId: string; belowId: string; rowsMax?: number | undefined },
): Promise<{ count: number; isComplete: boolean }> {
  if (matchesNothing(filter)) return { count: 0, isComplete: true }
  const belowId = startOf(filter, place)
  const choice = await chooseScan(sql, filter, { ...place, rowsMax: 0, belowId, detail: 'brief' })
  const bound = filter.search === null ? countedRows.compared : countedRows.searched
  const scanned = [place.ownerId, belowId, rowsMax ?? bound, statesIn(filter)]
  const counted = isCoveredBy(choice, filter)
    ? await sql.one(choice.scan.countIndexed, [...scanned, ...indexValue(choice)])
    : await sql.one(choice.scan.count, [...scanned, ...filterValues(filter)])
  const { matches = 0, scannedTo = null } = counted ?? {}
  return { count: matches, isComplete: scannedTo === null || isOlderThan(scannedTo, filter) }
}

function matchesNothing(filter: HistoryFilter): boolean {
  return statesIn(filter).length === 0 || (filter.keyId !== null && filter.source === 'editor')
}

function isScanned(filter: HistoryFilter): boolean {
  return scannedFilters.some((name) => filter[name] !== null)
}

/** Whether every row of the index range matches, without a comparison. */
function isCoveredBy({ value }: ScanChoice, filter: HistoryFilter): boolean {
  return !isScanned(filter) && columnFilters.filter((name) => filter[name] !== null).length <= (value === null ? 0 : 1)
}

function indexValue({ value }: ScanChoice): string[] {
  return value === null ? [] : [value]
}

async function chooseScan(sql: Sql, filter: HistoryFilter, place: Place & { detail: ListDetail }): Promise<ScanChoice> {
  const candidates = candidateScans(filter, place.detail)
  return candidates.length === 1 && candidates[0] ? candidates[0] : await farthest(sql, candidates, { ...place, states: statesIn(filter) })
}

/** The values of the filters, in the order of the parameters of a scan. */
function filterValues(filter: HistoryFilter): unknown[] {
  const metadata = filter.metadata && toJsonbText(filter.metadata)
  const scanned = [filter.createdAfter, filter.createdBefore, metadata, filter.userId, filter.search, filter.outputType]
  return [...columnFilters.map((name) => filter[name]), ...scanned]
}

function isOlderThan(id: string, filter: HistoryFilter): boolean {
  const { from } = idBounds(filter)
  return from !== null && id < from
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
  let from = belowId
  for (const rowLimit of filter.search === null ? scanRowLimits : searchRowLimits) {
    const wanted = [...filterValues(filter), rowsMax - rows.length]
    const found = await sql.all(scan.filterScan, [ownerId, from, rowLimit, states, ...wanted])
    rows.push(...found.filter((row): row is Generation & FilteredRow => row.id !== null))
    const scannedTo = found[0]?.scannedTo ?? null
    if (rows.length === rowsMax || scannedTo === null || isOlderThan(scannedTo, filter)) return { rows, resumeAt: null }
    from = scannedTo
  }
  return { rows, resumeAt: from }
}
