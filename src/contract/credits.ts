import { z } from 'zod'

/** An amount of credits on the wire: a JSON number with at most two decimals. */
export const credits = z.number().min(0).meta({ id: 'Credits', description: 'Credits, exact to the hundredth.', examples: [2.5] })

/** A moment: ISO 8601, UTC, milliseconds. */
export const moment = z.iso.datetime({ precision: 3 }).meta({ id: 'Moment', description: 'ISO 8601 in UTC with milliseconds.' })

export function momentOf(date: Date): string
export function momentOf(date: Date | null): string | null
export function momentOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}
