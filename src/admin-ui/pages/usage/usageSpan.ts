/** A span of whole days in UTC, both `YYYY-MM-DD` and both counted. */
export type DaySpan = { from: string; to: string }

const dayMs = 86_400_000
/** So many days at most are told of at once. */
const spanDaysMax = 92
export const presets = [7, 30, 90] as const
const usualDays = 30

/** The day of a moment in UTC. */
function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** So many days up to today. */
export function lastDays(days: number, now: number): DaySpan {
  return { from: utcDay(now - (days - 1) * dayMs), to: utcDay(now) }
}

/** The span that was asked for; what is left out ends today and begins a month before the end. */
export function spanOf({ from, to }: Partial<Record<'from' | 'to', string>>, now: number): DaySpan {
  const last = to ?? (from !== undefined && from > utcDay(now) ? from : utcDay(now))
  return { from: from ?? utcDay(Date.parse(last) - (usualDays - 1) * dayMs), to: last }
}

/** Why a span cannot be shown, in words. */
export function spanError({ from, to }: DaySpan): string | undefined {
  if (from > to) return 'Takes a day on or after From.'
  return daysBetween(from, to) > spanDaysMax ? `Takes a day at most ${spanDaysMax} days after From.` : undefined
}

/** The first moment of the span and the first one after it. */
export function momentsOf({ from, to }: DaySpan): DaySpan {
  return { from: `${from}T00:00:00.000Z`, to: `${utcDay(Date.parse(to) + dayMs)}T00:00:00.000Z` }
}

/** Every day of the span in its order, those without usage too. */
export function daysOf({ from, to }: DaySpan): string[] {
  return Array.from({ length: daysBetween(from, to) }, (_, place) => utcDay(Date.parse(from) + place * dayMs))
}

/** A day as people write it, without a shift to their own zone. */
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
