import type { UsageDay } from './usageQueries.ts'
import { type DaySpan, lastDays } from './usageSpan.ts'

const dayMs = 86_400_000
const paceDays = 7

function monthOf(now: number): { first: string; last: string; daysAfterToday: number } {
  const today = new Date(now)
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()]
  const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10)
  const last = Date.UTC(year, month + 1, 0)
  return { first: isoDay(Date.UTC(year, month, 1)), last: isoDay(last), daysAfterToday: Math.floor((last + dayMs - 1 - now) / dayMs) }
}

/** The days that a forecast reads: this month in UTC, and the last seven days before today. */
export function forecastSpan(now: number): DaySpan {
  const { first } = monthOf(now)
  const { from, to } = lastDays(paceDays + 1, now)
  return { from: from < first ? from : first, to }
}

/**
 * The credits of this month until now, and at its end if each further day costs as much as the last seven full days did on average. Today
 * costs at least that average.
 */
export function forecastOf(days: readonly Pick<UsageDay, 'day' | 'creditsCharged'>[], now: number) {
  const { first, last, daysAfterToday } = monthOf(now)
  const { from, to: today } = lastDays(paceDays + 1, now)
  const sum = (isCounted: (day: string) => boolean) =>
    days.reduce((credits, { day, creditsCharged }) => (isCounted(day ?? '') ? credits + creditsCharged : credits), 0)
  const spent = sum((day) => day >= first)
  const pace = sum((day) => day >= from && day < today) / paceDays
  const spentToday = sum((day) => day === today)
  const forecast = spent + Math.max(0, pace - spentToday) + pace * daysAfterToday
  return { spent: Math.round(spent * 100) / 100, forecast: Math.round(forecast * 100) / 100, lastDay: last }
}
