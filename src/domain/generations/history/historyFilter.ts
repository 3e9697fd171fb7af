import type { historyStatuses } from '../../../contract/shapes/queries.ts'
import { type GenerationSource, type GenerationState, generationStates, openStates } from '../../../entities/Generation.ts'

export type HistoryStatus = (typeof historyStatuses)[number]

/** What narrows a history; null for what does not. All that is given has to fit. */
export type HistoryFilter = {
  status: HistoryStatus | null
  state: GenerationState | null
  source: GenerationSource | null
  familyId: string | null
  apiKeyId: string | null
  reference: string | null
}

export const wholeHistory: HistoryFilter = { status: null, state: null, source: null, familyId: null, apiKeyId: null, reference: null }

/** The filter that a caller has given; an argument that is null or left out does not narrow the history. */
export function historyFilterOf(given: { [Name in keyof HistoryFilter]?: HistoryFilter[Name] | undefined }): HistoryFilter {
  const names = Object.keys(wholeHistory) as (keyof HistoryFilter)[]
  return Object.fromEntries(names.map((name) => [name, given[name] ?? null])) as HistoryFilter
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
