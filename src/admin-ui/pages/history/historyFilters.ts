import { type Filters, oneOf, textFilter } from '../../ui/table/useUrlFilters.ts'
import type { HistoryVariables } from './historyQuery.ts'

export const states = ['QUEUED', 'RUNNING', 'FINALIZING', 'READY', 'FAILED', 'CANCELLED'] as const
export const sources = ['REST', 'MCP', 'EDITOR'] as const

/** The filters in the URL; `generation` is the open one. */
export const historyKinds = {
  state: oneOf(...states),
  source: oneOf(...sources),
  family: textFilter,
  key: textFilter,
  reference: textFilter,
  generation: textFilter,
}

export type HistoryFilters = Filters<typeof historyKinds>

/** Converts the URL filters to query variables. */
export function variablesOf(teamId: string, { state, source, family, key, reference }: HistoryFilters): HistoryVariables {
  return {
    teamId,
    state: state ?? null,
    source: source ?? null,
    familyId: family ?? null,
    apiKeyId: key ?? null,
    reference: reference ?? null,
  }
}

export function isNarrowed({ state, source, family, key, reference }: HistoryFilters): boolean {
  return [state, source, family, key, reference].some((value) => value !== undefined)
}

export const noFilters = { state: undefined, source: undefined, family: undefined, key: undefined, reference: undefined }
