import { momentOfWallClock, wallClock } from '../display/timeZone.ts'

/** Formats a time for a datetime-local field, in the reader's time zone: `2026-11-22T09:30`. Empty without a time. */
export function toLocalInputValue(at: string | number | undefined): string {
  const date = at === undefined ? undefined : new Date(at)
  return date === undefined || Number.isNaN(date.getTime()) ? '' : wallClock(date)
}

/** Parses the value of such a field to UTC; `undefined` while it is incomplete. */
export function fromLocalInputValue(text: string): string | undefined {
  const date = momentOfWallClock(text)
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
