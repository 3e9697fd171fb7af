/** A period of whole UTC days, both `YYYY-MM-DD` and inclusive. */
export type DaySpan = { from: string; to: string }

const dayMs = 86_400_000
/** The longest period. */
const spanDaysMax = 92
export const presets = [7, 30, 90] as const
const usualDays = 30

/** The UTC day of a time. */
function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The last `days` days including today. */
export function lastDays(days: number, now: number): DaySpan {
  return { from: utcDay(now - (days - 1) * dayMs), to: utcDay(now) }
}

/** The requested period. Defaults: it ends today and begins a month before its end. */
export function spanOf({ from, to }: Partial<Record<'from' | 'to', string>>, now: number): DaySpan {
  const last = to ?? (from !== undefined && from > utcDay(now) ? from : utcDay(now))
  return { from: from ?? utcDay(Date.parse(last) - (usualDays - 1) * dayMs), to: last }
}

/** Why a period is invalid. */
export function spanError({ from, to }: DaySpan): string | undefined {
  if (from > to) return 'Choose a day on or after From.'
  return daysBetween(from, to) > spanDaysMax ? `Choose a day at most ${spanDaysMax} days after From.` : undefined
}

/** The first moment of the period, and the first one after it. */
export function momentsOf({ from, to }: DaySpan): DaySpan {
  return { from: `${from}T00:00:00.000Z`, to: `${utcDay(Date.parse(to) + dayMs)}T00:00:00.000Z` }
}

/** All days of the period, in order, also without usage. */
export function daysOf({ from, to }: DaySpan): string[] {
  return Array.from({ length: daysBetween(from, to) }, (_, place) => utcDay(Date.parse(from) + place * dayMs))
}

/** Formats a day without a time zone conversion. */
export function formatDay(day: string, { year = false }: { year?: boolean } = {}): string {
  return new Date(day).toLocaleDateString(undefined, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(year ? { year: 'numeric' } : {}),
  })
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}
