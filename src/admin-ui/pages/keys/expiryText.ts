import { momentText, parseMoment } from '../../ui/display/dateText.ts'
import { inTimeZone, momentOfWallClock } from '../../ui/display/timeZone.ts'

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 }

const span = /^(?:in\s+)?(\d{1,5})\s*(minute|hour|day|week|month|year)s?$/i
const moment = /^(\d{4}-\d{2}-\d{2})(?:[T\s]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?(Z|[+-]\d{2}:\d{2})?$/i

/** A time as the field shows and takes it. */
export const expiryExample = () => momentText(momentOfWallClock('2027-01-31T18:00').toISOString())

/**
 * Reads an expiry: a day or a time in the reader's language and time zone, a time with its own zone, or a period from now.
 * Returns `null` for an empty field, `undefined` for an invalid text.
 */
export function readExpiry(text: string, now: Date): Date | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || /^never$/i.test(trimmed)) return null
  const [, count, unit] = span.exec(trimmed) ?? []
  if (count !== undefined && unit !== undefined) return fromNow(Number(count), unit.toLowerCase(), now)
  const [, day, time = '00:00', zone = ''] = moment.exec(trimmed) ?? []
  if (day === undefined) return readMoment(trimmed)
  const read = zone === '' ? momentOfWallClock(`${day}T${time}`) : new Date(`${day}T${time}${zone.toUpperCase()}`)
  // Date accepts February 30 as a day of March.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false
  return Number.isNaN(read.getTime()) || !isDay ? undefined : read
}

function readMoment(text: string): Date | undefined {
  const read = parseMoment(text)
  return read === undefined ? undefined : new Date(read)
}

function fromNow(count: number, unit: string, now: Date): Date {
  const ends = new Date(now)
  if (unit === 'month') ends.setMonth(ends.getMonth() + count)
  else if (unit === 'year') ends.setFullYear(ends.getFullYear() + count)
  else ends.setTime(ends.getTime() + count * unitMs[unit as keyof typeof unitMs])
  return ends
}

/** Formats a time for the field as the rest of the page does, in the reader's time zone, to the minute. */
export function expiryText(at: Date): string {
  return momentText(at.toISOString())
}

/** Formats the parsed time in words. */
export function formatExpiry(at: Date, now: Date): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  const words = at.toLocaleString(undefined, inTimeZone({ ...day, hour: '2-digit', minute: '2-digit' }))
  const days = Math.floor((at.getTime() - now.getTime()) / unitMs.day)
  const away = days >= 2 && days <= 730 ? `, in ${days} days` : ''
  return `Ends ${words} in your time zone${away}.`
}
