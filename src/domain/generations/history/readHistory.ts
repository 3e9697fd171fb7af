import type { Generation } from '../../../entities/Generation.ts'
import { type Sql, type Statement, statement } from '../../sql.ts'
import { type ListDetail, listedColumns } from '../reading/generationColumns.ts'
import { columnFilters, type FilterColumn, filterColumns, type HistoryFilter, statesIn } from './historyFilter.ts'
import { type FilteredRow, type HistoryScan, historyScans } from './historyScans.ts'

/** All of a history, as most ask: one stretch, read as {@link historyScans} reads each of theirs. */
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

/** How many rows of a state are walked to sift them: first a few, since most of them fit, then as many as one answer may cost. */
const scanRowLimits = [250, 2000] as const
/** How far ways are tried before one of them is taken. */
const probedRows = 200

type Place = { ownerId: string; belowId: string; rowsMax: number; detail?: ListDetail }
type ScanChoice = { way: HistoryScan; value: string | null }

/**
 * The newest rows of a history below an identifier, `rowsMax` of them. Where no index is of all that narrows it, it looks at a bounded
 * number of rows: `resumeAt` is then where it stopped with less than enough found, and more may stand below; else null. `detail`: how much
 * of each row is read; all of it when left out.
 */
export async function readHistory(
  { sql }: { sql: Sql },
  filter: HistoryFilter,
  place: Place,
): Promise<{ rows: Generation[]; resumeAt: string | null }> {
  const states = statesIn(filter)
  const { ownerId, belowId, rowsMax, detail = 'whole' } = place
  if (states.length === 0 || (filter.apiKeyId !== null && filter.source === 'editor')) return { rows: [], resumeAt: null }
  const ways = candidateScans(filter, detail)
  const narrowing = columnFilters.filter((name) => filter[name] !== null).length
  if (narrowing === 0 && filter.state === null && filter.status === null) {
    return { rows: await sql.all(newest[detail], [ownerId, belowId, rowsMax]), resumeAt: null }
  }
  const choice = ways.length === 1 && ways[0] ? ways[0] : await farthest(sql, ways, { ...place, states })
  if (narrowing > (choice.value === null ? 0 : 1)) return await sift(sql, filter, choice, { ...place, states })
  const values = [ownerId, belowId, rowsMax, states, ...(choice.value === null ? [] : [choice.value])]
  return { rows: await sql.all(choice.way.page, values), resumeAt: null }
}

/** A selective index is taken at once; of several others, the rows show which one passes the fewest. The last column wins a tie. */
function candidateScans(filter: HistoryFilter, detail: ListDetail): ScanChoice[] {
  const scans = historyScans[detail]
  const ways: ScanChoice[] = []
  for (const name of columnFilters.toReversed()) {
    const [value, index]: [string | null, FilterColumn] = [filter[name], filterColumns[name]]
    if (value === null || value === index.unindexed) continue
    if (index.isSelective) return [{ way: scans[name], value }]
    ways.push({ way: scans[name], value })
  }
  return ways.length > 0 ? ways : [{ way: scans.state, value: null }]
}

/** The way that comes farthest back with as many rows, and so passes the fewest. */
async function farthest(
  sql: Sql,
  ways: ScanChoice[],
  { ownerId, belowId, states }: Place & { states: readonly string[] },
): Promise<ScanChoice> {
  const reached = await Promise.all(
    ways.map(async (choice) => {
      const row = await sql.one(choice.way.reach, [ownerId, belowId, probedRows, states, choice.value])
      return { choice, reach: row?.id ?? '' }
    }),
  )
  return reached.reduce((best, each) => (each.reach < best.reach ? each : best)).choice
}

async function sift(
  sql: Sql,
  filter: HistoryFilter,
  { way }: ScanChoice,
  { ownerId, belowId, rowsMax, states }: Place & { states: readonly string[] },
): Promise<{ rows: Generation[]; resumeAt: string | null }> {
  const rows: Generation[] = []
  let from = belowId
  for (const walked of scanRowLimits) {
    const wanted = [...columnFilters.map((name) => filter[name]), rowsMax - rows.length]
    const found = await sql.all(way.filterScan, [ownerId, from, walked, states, ...wanted])
    rows.push(...found.filter((row): row is Generation & FilteredRow => row.id !== null))
    const scannedTo = found[0]?.scannedTo ?? null
    if (rows.length === rowsMax || scannedTo === null) return { rows, resumeAt: null }
    from = scannedTo
  }
  return { rows, resumeAt: from }
}
