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
  const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
  if (date.toDateString() === new Date(now).toDateString()) return `today, ${time}`
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  const day = date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })
  return distanceMs < 180 * dayMs ? `${day}, ${time}` : day
}

function inMinutes(at: number, now: number): string {
  const minutes = Math.round(Math.abs(now - at) / minuteMs)
  return at > now ? `in ${minutes} min` : `${minutes} min ago`
}
