import type { historyStatuses, PublicHistoryFilter } from '../../../contract/shapes/queries.ts'
import { type GenerationSource, type GenerationState, generationStates, openStates } from '../../../entities/Generation.ts'

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
  apiKeyId: { column: 'key_id', where: 'key_id is not null' },
  reference: { column: 'reference', where: 'reference is not null', isSelective: true },
} as const satisfies Record<string, FilterColumn> & Record<Exclude<keyof PublicHistoryFilter, 'status'>, FilterColumn>

export type ColumnFilter = keyof typeof filterColumns
export const columnFilters = Object.keys(filterColumns) as ColumnFilter[]

/** The filters of a history; null for none. A row must match all of them. */
export type HistoryFilter = {
  status: HistoryStatus | null
  state: GenerationState | null
  source: GenerationSource | null
} & { [Name in Exclude<ColumnFilter, 'source'>]: string | null }

const filterNames: readonly (keyof HistoryFilter)[] = ['status', 'state', ...columnFilters]

/** The filter of a request. Null and absent arguments do not filter. */
export function historyFilterOf(given: { [Name in keyof HistoryFilter]?: HistoryFilter[Name] | undefined }): HistoryFilter {
  return Object.fromEntries(filterNames.map((name) => [name, given[name] ?? null])) as HistoryFilter
}

const statesOfStatus: Record<HistoryStatus, readonly GenerationState[]> = {
  active: openStates,
  ready: ['ready'],
  failed: ['failed'],
}

/** The states that match; none when status and state exclude each other. */
export function statesIn({ status, state }: Pick<HistoryFilter, 'status' | 'state'>): readonly GenerationState[] {
  const states = status === null ? generationStates : statesOfStatus[status]
  return state === null ? states : states.filter((each) => each === state)
}
