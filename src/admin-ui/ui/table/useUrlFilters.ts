import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { isDay } from '../display/days.ts'

/** Parses a filter in the URL; `undefined` for invalid values. */
export type FilterParser<Value extends string> = (text: string) => Value | undefined

/** A filter with a fixed set of values. */
export function oneOf<const Value extends string>(...values: readonly Value[]): FilterParser<Value> {
  return (text) => values.find((value) => value === text)
}

/** A text that is typed, limited in length. */
export const textFilter: FilterParser<string> = (text) => text.slice(0, 200)

/** A value that is chosen from a list of the server, such as a key. */
export const idFilter: FilterParser<string> = (text) => text.slice(0, 200)

/** A day such as `2026-11-22`, or a full timestamp. */
export const date: FilterParser<string> = (text) => (Number.isNaN(Date.parse(text)) ? undefined : text)

/** A day such as `2026-11-22`. */
export const day: FilterParser<string> = (text) => (isDay(text) ? text : undefined)

/** Filters of fields that change in small steps. */
const typedParsers: ReadonlySet<FilterParser<string>> = new Set([textFilter, date, day])

export type Filters<Kinds extends Record<string, FilterParser<string>>> = {
  [Name in keyof Kinds]: ReturnType<Kinds[Name]>
}

/** What added an entry to the browser's history: the panel, or typing in these fields. */
type EntryState = { panel?: true; typed?: string[] } | null

/**
 * Filters in the query of the URL, so that the URL can be sent to a colleague. Each change adds an entry to the browser's history, so that
 * Back undoes it; typing in one field adds a single entry. Decision: docs/decisions/0042-back-in-the-admin-ui.md
 * `kinds` stays the same between renders: keep it at module level. `panel`: the filter that names the open panel. Closing it goes back.
 *
 * const [filters, setFilters] = useUrlFilters(kinds) setFilters({ state: 'FAILED', since: undefined })
 */
export function useUrlFilters<Kinds extends Record<string, FilterParser<string>>>(kinds: Kinds, panel?: keyof Kinds & string) {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: EntryState }
  const filters = useMemo(
    () =>
      Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kind(search.get(name) ?? '') || undefined])) as Filters<Kinds>,
    [kinds, search],
  )
  const setFilters = useCallback(
    (changed: Partial<Filters<Kinds>>) => {
      // Uses the current URL: a delayed field may still have an older one.
      const current = new URLSearchParams(window.location.search)
      const next = withChanges(current, changed)
      if (next.toString() === current.toString()) return
      const isOpen = panel !== undefined && current.has(panel)
      if (isOpen && !next.has(panel) && state?.panel && Object.keys(changed).length === 1) return void navigate(-1)
      const added = isOpen ? null : entryOf(kinds, changed, panel)
      const isTypingOn = added?.typed?.every((name) => state?.typed?.includes(name)) ?? false
      const replaces = isOpen || isTypingOn
      setSearch(next, { replace: replaces, preventScrollReset: true, state: replaces ? state : added })
    },
    [setSearch, navigate, state, kinds, panel],
  )
  return [filters, setFilters] as const
}

function withChanges(current: URLSearchParams, changed: Record<string, string | undefined>): URLSearchParams {
  const next = new URLSearchParams(current)
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** What a change of a page without an open panel adds. A value that was chosen has neither. */
function entryOf(kinds: Record<string, FilterParser<string>>, changed: Record<string, string | undefined>, panel?: string): EntryState {
  if (panel !== undefined && changed[panel] !== undefined) return { panel: true }
  const names = Object.keys(changed)
  const set = names.filter((name) => changed[name] !== undefined)
  const typed = set.length > 0 ? set : names
  return typed.every((name) => kinds[name] !== undefined && typedParsers.has(kinds[name])) ? { typed } : null
}
