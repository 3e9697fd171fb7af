import { z } from 'zod'
import { limits } from '../limits.ts'
import type { CustomParams } from '../refusals/issues.ts'
import type { IssueCode } from '../refusals/refusals.ts'
import { credits } from './credits.ts'

export const usageGroups = ['day', 'key', 'family'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** From the day (UTC) of the first moment to that of the last one before `to`. */
export type Span = { from: Date; to: Date }

const dayMs = 86_400_000
const usualDays = 30

/** The last moment that counts, if any does. */
export function lastMomentOf({ to }: Span): Date {
  return new Date(to.getTime() - 1)
}

/** Why there is no usage of a span; it is said of its end. Contract: docs/contract.md#get-the-usage. */
export function spanFault(span: Span): { code: IssueCode; message: string } | undefined {
  if (!(span.from < span.to)) return { code: 'too_small', message: 'Takes a moment after `from`.' }
  if (dayNumber(lastMomentOf(span)) - dayNumber(span.from) < limits.usageDays) return undefined
  return { code: 'too_big', message: `Takes at most ${limits.usageDays} days.` }
}

/** The span that was asked for: what is left out ends today, and begins so that there are thirty days. */
export function resolveSpan({ from, to }: { from?: Date | null | undefined; to?: Date | null | undefined }, now: Date): Span {
  const end = to ?? new Date((dayNumber(from && from > now ? from : now) + 1) * dayMs)
  return { from: from ?? new Date((dayNumber(new Date(end.getTime() - 1)) - usualDays + 1) * dayMs), to: end }
}

function dayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs)
}

/** A day (`2026-11-20`), of which `edge` gives the first moment that counts or no longer counts, or a moment itself. */
function dayOrMoment(edge: 'begin' | 'end') {
  const day = z.iso.date()
  const moment = z.iso.datetime({ offset: true })
  const schema = z.string().transform((text, context) => {
    const isDay = day.safeParse(text).success
    const value = new Date(isDay ? Date.parse(text) + (edge === 'end' ? dayMs : 0) : text)
    if ((isDay || moment.safeParse(text).success) && yearsThatFit.test(value.toISOString())) return value
    const message = 'Takes a day like 2026-11-20, or a moment like 2026-11-20T12:00:00Z.'
    context.addIssue({ code: 'custom', message, params: { issue: 'bad_format' } satisfies CustomParams })
    return z.NEVER
  })
  return schema.meta({ override: { type: 'string', examples: ['2026-11-20'] } })
}

/** Those that four digits say. */
const yearsThatFit = /^\d{4}-/

/** The query of GET /usage. */
export const usageQuery = z.strictObject({
  from: dayOrMoment('begin').optional().meta({ description: 'The first day in UTC, or a moment of it; thirty days when not said.' }),
  to: dayOrMoment('end').optional().meta({ description: 'The last day, or the first moment that no longer counts; today when not said.' }),
  by: z.enum(usageGroups).optional().meta({ description: 'What a line stands for; a day when not said.' }),
})

/** Contract: docs/contract.md#get-the-usage. */
export const usage = z
  .object({
    items: z.array(
      z
        .object({
          day: z.iso.date().optional().meta({ description: 'In UTC; with `by=day`.' }),
          keyId: z.string().nullable().optional().meta({ description: 'With `by=key`; null for what no key started.' }),
          familyId: z.string().optional().meta({ description: 'With `by=family`.' }),
          generations: z.int().min(0).meta({ description: 'Those that ended in the span, and the active ones.' }),
          ready: z.int().min(0),
          failed: z.int().min(0),
          cancelled: z.int().min(0),
          active: z.int().min(0).meta({ description: 'Those that were started in the span and go on.' }),
          creditsCharged: credits,
          creditsHeld: credits.meta({ description: 'What the active ones hold.' }),
        })
        .meta({ id: 'UsageLine' }),
    ),
    nextCursor: z.null(),
  })
  .meta({ id: 'Usage' })

export type PublicUsage = z.output<typeof usage>
