import { addDays, dayOf, startOfDay } from '../display/days.ts'

export const periodNames = {
  hour: 'Last hour',
  today: 'Today',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  'last-month': 'Previous month',
} as const

export type Period = keyof typeof periodNames
export const periods = Object.keys(periodNames) as Period[]

/** A range of moments in milliseconds: `since` is in it, `until` is not. Without `until` it has no end. */
export type TimeRange = { since: number; until?: number }

const hourMs = 3_600_000

/** The range of a period at a moment, by the days of the reader's time zone. A day may have 23 or 25 hours; `24h` is always 24. */
export function rangeOf(period: Period, now: number): TimeRange {
  if (period === 'hour') return { since: now - hourMs }
  if (period === '24h') return { since: now - 24 * hourMs }
  const { from, to } = daysOfPeriod(period, dayOf(now))
  return to === undefined ? { since: startOfDay(from) } : { since: startOfDay(from), until: startOfDay(addDays(to, 1)) }
}

/** The days of a period of whole days, both included. Without `to` it has no end. */
export function daysOfPeriod(period: Exclude<Period, 'hour' | '24h'>, today: string): { from: string; to?: string } {
  const month = `${today.slice(0, 7)}-01`
  if (period === 'month') return { from: month }
  if (period === 'last-month') {
    const to = addDays(month, -1)
    return { from: `${to.slice(0, 7)}-01`, to }
  }
  const days = { today: 1, '7d': 7, '30d': 30 }[period]
  return { from: addDays(today, 1 - days) }
}
