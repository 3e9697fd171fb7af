import { firstIdAt } from '../../../contract/ids.ts'
import type { historyStatuses, PublicHistoryFilter } from '../../../contract/shapes/queries.ts'
import {
  type GenerationOutputType,
  type GenerationSource,
  type GenerationState,
  generationStates,
  openStates,
} from '../../../entities/Generation.ts'
import { parseText } from '../../parseText.ts'

export type HistoryStatus = (typeof historyStatuses)[number]

export type FilterColumn = {
  column: string
  /** The predicate of a partial index. */
  where?: string
  /** The value that the partial index excludes. */
  unindexed?: string
  /** Few rows share a value, so no other index is tried. */
  isSelective?: boolean
}

/** The columns for filters, each with an index by (column, state, owner, id). Their order is part of stored cursors. */
export const filterColumns = {
  source: { column: 'source', where: `source <> 'rest'`, unindexed: 'rest' },
  familyId: { column: 'family_id' },
  keyId: { column: 'key_id', where: 'key_id is not null' },
  reference: { column: 'reference', where: 'reference is not null', isSelective: true },
} as const satisfies Record<string, FilterColumn> & Record<Exclude<keyof PublicHistoryFilter, 'status' | keyof ScannedFilter>, FilterColumn>

export type ColumnFilter = keyof typeof filterColumns
export const columnFilters = Object.keys(filterColumns) as ColumnFilter[]

/** Filters without an index of their own: rows that another index finds are compared with them. */
type ScannedFilter = {
  /** Inclusive. */
  createdAfter: Date | null
  /** Exclusive. */
  createdBefore: Date | null
  metadata: Record<string, string> | null
  /** Who started them. */
  userId: string | null
  /** A part of the prompt or of the reference, case-insensitive. */
  search: string | null
  outputType: GenerationOutputType | null
}

/** The filters of a history; null for none. A row must match all of them. */
export type HistoryFilter = ScannedFilter & {
  status: HistoryStatus | null
  state: GenerationState | null
  source: GenerationSource | null
} & { [Name in Exclude<ColumnFilter, 'source'>]: string | null }

/** Their order is part of stored cursors. */
export const scannedFilters = [
  'createdAfter',
  'createdBefore',
  'metadata',
  'userId',
  'search',
  'outputType',
] as const satisfies (keyof ScannedFilter)[]

const filterNames: readonly (keyof HistoryFilter)[] = ['status', 'state', ...columnFilters, ...scannedFilters]

type Given = {
  [Name in keyof HistoryFilter]?: HistoryFilter[Name] | (Date extends HistoryFilter[Name] ? string : never) | undefined
}

const searchRule = { field: 'search', charactersMin: 0, charactersMax: 200 }

/** The filter of a request. Null and absent arguments, and an empty search, do not filter. Refusals: invalid_request at `search`. */
export function historyFilterOf({ createdAfter, createdBefore, ...given }: Given): HistoryFilter {
  const moments = { createdAfter: createdAfter && new Date(createdAfter), createdBefore: createdBefore && new Date(createdBefore) }
  const search = given.search ? parseText(given.search, searchRule) || null : null
  const values = { ...given, ...moments, search }
  return Object.fromEntries(filterNames.map((name) => [name, values[name] ?? null])) as HistoryFilter
}

const statesOfStatus: Record<HistoryStatus, readonly GenerationState[]> = {
  active: openStates,
  ready: ['ready'],
  failed: ['failed'],
  cancelled: ['cancelled'],
}

/** By how much the clock of the process that made an identifier may differ from the clock of the database. */
const clockToleranceMs = 60_000

/** The bounds of the identifiers of matching rows; null for none. An identifier below `from` or from `below` on does not match. */
export function idBounds({ createdAfter, createdBefore }: ScannedFilter): { from: string | null; below: string | null } {
  return {
    from: createdAfter && firstIdAt('gen', new Date(Math.max(0, createdAfter.getTime() - clockToleranceMs))),
    below: createdBefore && firstIdAt('gen', new Date(Math.max(0, createdBefore.getTime() + clockToleranceMs))),
  }
}

/** The states that match; none when status and state exclude each other. */
export function statesIn({ status, state }: Pick<HistoryFilter, 'status' | 'state'>): readonly GenerationState[] {
  const states = status === null ? generationStates : statesOfStatus[status]
  return state === null ? states : states.filter((each) => each === state)
}
