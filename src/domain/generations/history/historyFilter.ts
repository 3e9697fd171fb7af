import type { historyStatuses, PublicHistoryFilter } from '../../../contract/shapes/queries.ts'
import { type GenerationSource, type GenerationState, generationStates, openStates } from '../../../entities/Generation.ts'

export type HistoryStatus = (typeof historyStatuses)[number]

export type FilterColumn = {
  column: string
  /** The rows that its index holds, if not all. */
  where?: string
  /** The value that its index does not hold. */
  unindexed?: string
  /** Few rows have the same value, so that no other index is tried. */
  isSelective?: boolean
}

/** The columns that narrow a history, each with an index by (column, state, owner, id). Their order is part of stored cursors. */
export const filterColumns = {
  source: { column: 'source', where: `source <> 'rest'`, unindexed: 'rest' },
  familyId: { column: 'family_id' },
  apiKeyId: { column: 'key_id', where: 'key_id is not null' },
  reference: { column: 'reference', where: 'reference is not null', isSelective: true },
} as const satisfies Record<string, FilterColumn> & Record<Exclude<keyof PublicHistoryFilter, 'status'>, FilterColumn>

export type ColumnFilter = keyof typeof filterColumns
export const columnFilters = Object.keys(filterColumns) as ColumnFilter[]

/** What narrows a history; null for what does not. All that is given has to fit. */
export type HistoryFilter = {
  status: HistoryStatus | null
  state: GenerationState | null
  source: GenerationSource | null
} & { [Name in Exclude<ColumnFilter, 'source'>]: string | null }

const filterNames: readonly (keyof HistoryFilter)[] = ['status', 'state', ...columnFilters]

/** The filter that a caller has given; an argument that is null or left out does not narrow the history. */
export function historyFilterOf(given: { [Name in keyof HistoryFilter]?: HistoryFilter[Name] | undefined }): HistoryFilter {
  return Object.fromEntries(filterNames.map((name) => [name, given[name] ?? null])) as HistoryFilter
}

const statesOfStatus: Record<HistoryStatus, readonly GenerationState[]> = {
  active: openStates,
  ready: ['ready'],
  failed: ['failed'],
}

/** The states that may stand in such a history; none where status and state exclude each other. */
export function statesIn({ status, state }: Pick<HistoryFilter, 'status' | 'state'>): readonly GenerationState[] {
  const states = status === null ? generationStates : statesOfStatus[status]
  return state === null ? states : states.filter((each) => each === state)
}
