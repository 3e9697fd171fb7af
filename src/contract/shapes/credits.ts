import { z } from 'zod'

/** An amount of credits on the wire: a JSON number with at most two decimals. */
export const credits = z
  .number()
  .min(0)
  .meta({ id: 'Credits', description: 'Credits, exact to the hundredth.', examples: [2.5] })

/** A moment: ISO 8601, UTC, milliseconds. */
export const moment = z.iso.datetime({ precision: 3 }).meta({
  id: 'Moment',
  description: 'ISO 8601 in UTC with milliseconds.',
  examples: ['2026-11-20T12:00:00.000Z'],
  override: { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' },
})

export function momentOf(date: Date): string
export function momentOf(date: Date | null): string | null
export function momentOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}
