import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** Parses a filter in the URL; `undefined` for invalid values. */
export type FilterParser<Value extends string> = (text: string) => Value | undefined

/** A filter with a fixed set of values. */
export function oneOf<const Value extends string>(...values: readonly Value[]): FilterParser<Value> {
  return (text) => values.find((value) => value === text)
}

/** A filter with any text, limited in length. */
export const textFilter: FilterParser<string> = (text) => text.slice(0, 200)

/** A day such as `2026-11-22`, or a full timestamp. */
export const date: FilterParser<string> = (text) => (Number.isNaN(Date.parse(text)) ? undefined : text)

export type Filters<Kinds extends Record<string, FilterParser<string>>> = {
  [Name in keyof Kinds]: ReturnType<Kinds[Name]>
}

/** The state of an entry that an opened panel added to the browser's history. */
const panelState = 'panel'

/**
 * Filters in the query of the URL, so that the URL can be sent to a colleague and the browser's back button works.
 * `kinds` stays the same between renders: keep it at module level. `panel`: the filter that names the open panel. Opening it adds an entry to
 * the browser's history, so that Back closes it; closing it goes back.
 *
 * const [filters, setFilters] = useUrlFilters(kinds) setFilters({ state: 'FAILED', since: undefined })
 */
export function useUrlFilters<Kinds extends Record<string, FilterParser<string>>>(kinds: Kinds, panel?: keyof Kinds & string) {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: unknown }
  const wasPushed = state === panelState
  const filters = useMemo(
    () =>
      Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kind(search.get(name) ?? '') || undefined])) as Filters<Kinds>,
    [kinds, search],
  )
  const setFilters = useCallback(
    (changed: Partial<Filters<Kinds>>) => {
      const isOpen = panel !== undefined && new URLSearchParams(window.location.search).has(panel)
      const isClosing = panel !== undefined && panel in changed && changed[panel] === undefined
      if (isOpen && isClosing && wasPushed && Object.keys(changed).length === 1) return void navigate(-1)
      const isOpening = panel !== undefined && changed[panel] !== undefined && !isOpen
      setSearch(
        () => {
          // Uses the current URL: a delayed field may still have an older one.
          const next = new URLSearchParams(window.location.search)
          for (const [name, value] of Object.entries<string | undefined>(changed)) {
            if (value === undefined || value === '') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace: !isOpening, preventScrollReset: true, state: isOpening || (wasPushed && isOpen) ? panelState : null },
      )
    },
    [setSearch, navigate, wasPushed, panel],
  )
  return [filters, setFilters] as const
}
