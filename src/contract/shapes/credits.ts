import { z } from 'zod'
import { hundredthsFromCredits } from '../hundredths.ts'
import { limits } from '../limits.ts'
import type { CustomParams } from '../refusals/issues.ts'
import type { Issue } from '../refusals/refusals.ts'

/** An amount of credits: a JSON number with at most two decimals. */
export const credits = z
  .number()
  .min(0)
  .meta({ id: 'Credits', description: 'Credits, with at most two decimals.', examples: [2.5] })

/** A point in time: ISO 8601 in UTC with milliseconds. */
export const moment = z.iso.datetime({ precision: 3 }).meta({
  id: 'Moment',
  description: 'ISO 8601 in UTC with milliseconds.',
  examples: ['2026-11-20T12:00:00.000Z'],
  override: { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' },
})

/** A moment in an input: ISO 8601 with a time zone. */
export const momentText = z.iso
  .datetime({ offset: true })
  .refine((text) => Number.isNaN(Date.parse(text)) || hasStorableYear(new Date(text)), {
    error: 'Takes a moment of the years 1 to 9999 in UTC.',
    params: { issue: 'bad_format' } satisfies CustomParams,
  })
  .meta({ description: 'ISO 8601 with a time zone.' })

/** Whether the year in UTC is one that the scalar `DateTime` and the database take: 1 to 9999. */
export function hasStorableYear(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999
}

export function momentOf(date: Date): string
export function momentOf(date: Date | null): string | null
export function momentOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

/** Why a number is not an amount of credits: it is negative, above a billion, or has more than two decimals. Contract: docs/contract.md#credits. */
export function creditsFault(given: number): Pick<Issue, 'code' | 'message'> | undefined {
  if (!(given >= 0)) return { code: 'too_small', message: 'Takes at least 0 credits.' }
  if (given > limits.maxCreditsCeiling) return { code: 'too_big', message: `Takes at most ${limits.maxCreditsCeiling} credits.` }
  if (hundredthsFromCredits(given) !== undefined) return undefined
  return { code: 'bad_format', message: 'Takes credits with two decimals at most.' }
}

/** An amount of credits in an input, such as a ceiling. */
export const creditLimit = z.number().superRefine((given, context) => {
  const fault = creditsFault(given)
  if (fault) context.addIssue({ code: 'custom', message: fault.message, params: { issue: fault.code } satisfies CustomParams })
})
