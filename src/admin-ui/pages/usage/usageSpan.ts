import { addDays } from '../../ui/display/days.ts'
import { daysOfPeriod, periodNames } from '../../ui/table/periods.ts'

/** A period of whole UTC days, both `YYYY-MM-DD` and inclusive. */
export type DaySpan = { from: string; to: string }

const dayMs = 86_400_000
/** The longest period. */
const spanDaysMax = 92
const usualDays = 30
const { today, '7d': week, '30d': days30, month, 'last-month': lastMonth } = periodNames

/** Quick choices, in days of UTC like the usage itself. */
export const usagePeriodNames = { today, '7d': week, '30d': days30, '90d': '90 days', month, 'last-month': lastMonth } as const
export type UsagePeriod = keyof typeof usagePeriodNames
export const usagePeriods = Object.keys(usagePeriodNames) as UsagePeriod[]

/** The UTC day of a time. */
function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The last `days` days including today. */
export function lastDays(days: number, now: number): DaySpan {
  return { from: utcDay(now - (days - 1) * dayMs), to: utcDay(now) }
}

export type SpanFilters = { period?: UsagePeriod | undefined; from?: string | undefined; to?: string | undefined }

/** The requested period. Defaults: it ends today and begins a month before its end. */
export function spanOf({ period, from, to }: SpanFilters, now: number): DaySpan {
  const today = utcDay(now)
  if (period === '90d') return lastDays(90, now)
  if (period !== undefined) return { to: today, ...daysOfPeriod(period, today) }
  const last = to ?? (from !== undefined && from > today ? from : today)
  return { from: from ?? addDays(last, 1 - usualDays), to: last }
}

/** Why a period is invalid. */
export function spanError({ from, to }: DaySpan): string | undefined {
  if (from > to) return 'Choose a day on or after From.'
  return daysBetween(from, to) > spanDaysMax ? `Choose a day at most ${spanDaysMax} days after From.` : undefined
}

/** The first moment of the period, and the first one after it. */
export function momentsOf({ from, to }: DaySpan): DaySpan {
  return { from: `${from}T00:00:00.000Z`, to: `${addDays(to, 1)}T00:00:00.000Z` }
}

/** All days of the period, in order, also without usage. */
export function daysOf({ from, to }: DaySpan): string[] {
  return Array.from({ length: daysBetween(from, to) }, (_, place) => addDays(from, place))
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}
