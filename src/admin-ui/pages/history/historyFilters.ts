import { dayRangeKinds, noDayRange, queriedDays } from '../../ui/table/timeRange.ts'
import { type Filters, idFilter, oneOf, textFilter } from '../../ui/table/useUrlFilters.ts'
import type { HistoryVariables } from './historyQuery.ts'

export const states = ['QUEUED', 'RUNNING', 'FINALIZING', 'READY', 'FAILED', 'CANCELLED'] as const
export const outputs = ['IMAGE', 'VIDEO', 'AUDIO', 'MODEL3D', 'TEXT'] as const
export const sources = ['REST', 'MCP', 'EDITOR'] as const

/** The filters in the URL; `generation` is the open one, `view` how the list is shown. */
export const historyKinds = {
  search: textFilter,
  state: oneOf(...states),
  source: oneOf(...sources),
  makes: oneOf(...outputs),
  family: idFilter,
  key: idFilter,
  who: idFilter,
  reference: textFilter,
  ...dayRangeKinds,
  view: oneOf('grid'),
  generation: idFilter,
}

export type HistoryFilters = Filters<typeof historyKinds>

/** Converts the URL filters to query variables. `now` is from `useFrozenNow`. */
export function variablesOf(teamId: string, filters: HistoryFilters, now: number): HistoryVariables {
  const { state, source, makes, family, key, who, reference, search } = filters
  const { since, until } = queriedDays(filters, now)
  return {
    teamId,
    state: state ?? null,
    source: source ?? null,
    familyId: family ?? null,
    apiKeyId: key ?? null,
    userId: who ?? null,
    reference: reference ?? null,
    search: search ?? null,
    outputType: makes ?? null,
    createdAfter: since,
    createdBefore: until,
  }
}

export const noFilters = {
  search: undefined,
  state: undefined,
  source: undefined,
  makes: undefined,
  family: undefined,
  key: undefined,
  who: undefined,
  reference: undefined,
  ...noDayRange,
}

export function isNarrowed(filters: HistoryFilters): boolean {
  return (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => filters[name] !== undefined)
}
