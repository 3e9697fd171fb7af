import { formatterInTimeZone, wallClock } from './timeZone.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Formats a time in the reader's time zone: relative within an hour, with the time on near days, as a date otherwise.
 * `at` and `now` in milliseconds.
 */
export function formatMoment(at: number, now: number): string {
  const distanceMs = Math.abs(now - at)
  if (distanceMs < minuteMs) return at > now ? 'in a moment' : 'just now'
  if (distanceMs < 60 * minuteMs) return inMinutes(at, now)
  const date = new Date(at)
  const time = formatterInTimeZone({ hour: '2-digit', minute: '2-digit' }).format(date)
  const [dayOf, today] = [wallClock(date).slice(0, 10), wallClock(new Date(now)).slice(0, 10)]
  if (dayOf === today) return `today, ${time}`
  const sameYear = dayOf.slice(0, 4) === today.slice(0, 4)
  const year = sameYear ? {} : ({ year: 'numeric' } as const)
  const day = formatterInTimeZone({ day: 'numeric', month: 'short', ...year }).format(date)
  return distanceMs < 180 * dayMs ? `${day}, ${time}` : day
}

/** Formats a time to the second, with the reader's time zone: `28 Nov 2026, 18:20:37 CET`. */
export function formatExactly(at: Date): string {
  return formatterInTimeZone({ dateStyle: 'medium', timeStyle: 'long' }).format(at)
}

function inMinutes(at: number, now: number): string {
  const minutes = Math.round(Math.abs(now - at) / minuteMs)
  return at > now ? `in ${minutes} min` : `${minutes} min ago`
}
