import { date, type Filters, oneOf, textFilter } from '../../ui/table/useUrlFilters.ts'
import type { HistoryVariables } from './historyQuery.ts'

export const states = ['QUEUED', 'RUNNING', 'FINALIZING', 'READY', 'FAILED', 'CANCELLED'] as const
export const sources = ['REST', 'MCP', 'EDITOR'] as const

/** The filters in the URL; `generation` is the open one, `view` how the list is shown. `from` and `to` are days of the reader. */
export const historyKinds = {
  search: textFilter,
  state: oneOf(...states),
  source: oneOf(...sources),
  family: textFilter,
  key: textFilter,
  who: textFilter,
  reference: textFilter,
  from: date,
  to: date,
  view: oneOf('grid'),
  generation: textFilter,
}

export type HistoryFilters = Filters<typeof historyKinds>

/** Converts the URL filters to query variables. */
export function variablesOf(teamId: string, filters: HistoryFilters): HistoryVariables {
  const { state, source, family, key, who, reference, search, from, to } = filters
  return {
    teamId,
    state: state ?? null,
    source: source ?? null,
    familyId: family ?? null,
    apiKeyId: key ?? null,
    userId: who ?? null,
    reference: reference ?? null,
    search: search ?? null,
    createdAfter: from === undefined ? null : dayStart(from, 0),
    createdBefore: to === undefined ? null : dayStart(to, 1),
  }
}

/** The start of a day in the reader's time zone, `later` days on. */
function dayStart(day: string, later: number): string {
  const [year = 0, month = 1, of = 1] = day.slice(0, 10).split('-').map(Number)
  return new Date(year, month - 1, of + later).toISOString()
}

export const noFilters = {
  search: undefined,
  state: undefined,
  source: undefined,
  family: undefined,
  key: undefined,
  who: undefined,
  reference: undefined,
  from: undefined,
  to: undefined,
}

export function isNarrowed(filters: HistoryFilters): boolean {
  return (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => filters[name] !== undefined)
}
