import { wallClock } from './timeZone.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** Whether the text is a day of the calendar: `2026-11-22`. */
export function isDay(text: string): boolean {
  return dayForm.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
}

/** The day `count` days later; earlier below 0. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)
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

/** The day of a moment in the reader's time zone. */
export function dayOf(at: number): string {
  return wallClock(new Date(at)).slice(0, 10)
}

/**
 * The first moment of a day in the reader's time zone. It is not always midnight, because daylight saving time may begin or end then. A day
 * that the zone skipped begins and ends at the start of the next one.
 */
export function startOfDay(day: string): number {
  // Zones are at most 14 hours ahead of UTC and 12 behind.
  let [before, after] = [Date.parse(day) - 15 * hourMs, Date.parse(day) + 13 * hourMs]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayOf(middle) < day) before = middle
    else after = middle
  }
  return after
}
