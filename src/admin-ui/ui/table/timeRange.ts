import { useState } from 'react'
import { addDays, dayOf, startOfDay } from '../display/days.ts'
import { daysOfPeriod, periods, rangeOf, type TimeRange } from './periods.ts'
import { date, day, type Filters, oneOf } from './useUrlFilters.ts'

const period = oneOf(...periods)

/** The filters of a range of days in the URL: a period, or days of the reader, both included. */
export const dayRangeKinds = { period, from: day, to: day }
export type DayRange = Filters<typeof dayRangeKinds>
export const noDayRange = { period: undefined, from: undefined, to: undefined }

/** The filters of a range of moments in the URL: a period, or `since` and, not included, `until`. */
export const momentRangeKinds = { period, since: date, until: date }
export type MomentRange = Filters<typeof momentRangeKinds>
export const noMomentRange = { period: undefined, since: undefined, until: undefined }

/** The moment when the page was opened or `period` was chosen, so that the range does not change while the page is read. */
export function useFrozenNow(period: string | undefined): number {
  const [frozen, setFrozen] = useState(() => freeze(period))
  if (frozen.period !== period) setFrozen(freeze(period))
  return frozen.now
}

function freeze(period: string | undefined) {
  return { period, now: Date.now() }
}

/** The moments of a range, as variables of a query. `until` is not included. */
export type QueriedRange = { since: string | null; until: string | null }

/** The moments of a range of days: from the start of `from` to the end of `to`. */
export function queriedDays(range: DayRange, now: number): QueriedRange {
  if (range.period !== undefined) return queried(rangeOf(range.period, now))
  const { from, to } = range
  return queried({
    since: from === undefined ? undefined : startOfDay(from),
    until: to === undefined ? undefined : startOfDay(addDays(to, 1)),
  })
}

/** The moments of a range of moments. */
export function queriedMoments(range: MomentRange, now: number): QueriedRange {
  if (range.period !== undefined) return queried(rangeOf(range.period, now))
  const { since, until } = range
  return queried({ since: since === undefined ? undefined : Date.parse(since), until: until === undefined ? undefined : Date.parse(until) })
}

/** The days that a range contains, also in part, for the fields. */
export function shownDays(range: DayRange, now: number): Pick<DayRange, 'from' | 'to'> {
  if (range.period === undefined) return { from: range.from, to: range.to }
  const { since, until } = rangeOf(range.period, now)
  return { from: dayOf(since), to: dayOf(until === undefined ? now : until - 1) }
}

/** The moments of a range, for the fields. */
export function shownMoments(range: MomentRange, now: number): Pick<MomentRange, 'since' | 'until'> {
  if (range.period === undefined) return { since: range.since, until: range.until }
  const { since, until } = queried(rangeOf(range.period, now))
  return { since: since ?? undefined, until: until ?? undefined }
}

/** The first value of a custom range. */
export function lastSevenDays(now: number): { from: string; to: string } {
  const today = dayOf(now)
  return { to: today, ...daysOfPeriod('7d', today) }
}

/** The limits of the server. A field exceeds them while a person types a year. */
const [earliest, latest] = [0, Date.UTC(9999, 0)]

function queried({ since, until }: { [End in keyof Required<TimeRange>]?: number | undefined }): QueriedRange {
  const text = (at: number | undefined) => (at === undefined ? null : new Date(Math.min(Math.max(at, earliest), latest)).toISOString())
  return { since: text(since), until: text(until) }
}
