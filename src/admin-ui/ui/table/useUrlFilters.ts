import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

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

/**
 * Filters in the query of the URL, so that the URL can be sent to a colleague and the browser's back button works.
 * `kinds` stays the same between renders: keep it at module level.
 *
 * const [filters, setFilters] = useUrlFilters(kinds) setFilters({ state: 'FAILED', since: undefined })
 */
export function useUrlFilters<Kinds extends Record<string, FilterParser<string>>>(kinds: Kinds) {
  const [search, setSearch] = useSearchParams()
  const filters = useMemo(
    () =>
      Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kind(search.get(name) ?? '') || undefined])) as Filters<Kinds>,
    [kinds, search],
  )
  const setFilters = useCallback(
    (changed: Partial<Filters<Kinds>>) =>
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
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  )
  return [filters, setFilters] as const
}
