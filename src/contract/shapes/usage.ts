import { z } from 'zod'
import { limits } from '../limits.ts'
import type { CustomParams } from '../refusals/issues.ts'
import { codePoints } from '../refusals/plainText.ts'
import type { IssueCode } from '../refusals/refusals.ts'
import { credits, hasStorableYear } from './credits.ts'

export const usageGroups = ['day', 'key', 'family'] as const
/** Groups by the caller's own words. */
export const usageLabels = ['reference', 'metadata'] as const
export type UsageGroup = (typeof usageGroups)[number]
export type UsageLabel = (typeof usageLabels)[number]

/** The days (UTC) from the day of `from` to the day of the last moment before `to`. */
export type Span = { from: Date; to: Date }

const dayMs = 86_400_000
const usualDays = 30

/** The last moment in the span. */
export function lastMomentOf({ to }: Span): Date {
  return new Date(to.getTime() - 1)
}

/** Why a span is not valid; reported for its end. Contract: docs/contract.md#get-the-usage. */
export function spanFault(span: Span): { code: IssueCode; message: string } | undefined {
  if (!(span.from < span.to)) return { code: 'too_small', message: 'Takes a moment after `from`.' }
  if (dayNumber(lastMomentOf(span)) - dayNumber(span.from) < limits.usageDays) return undefined
  return { code: 'too_big', message: `Takes at most ${limits.usageDays} days.` }
}

/** The requested span. Default: it ends today, and has thirty days. */
export function resolveSpan({ from, to }: { from?: Date | null | undefined; to?: Date | null | undefined }, now: Date): Span {
  const end = to ?? new Date((dayNumber(from && from > now ? from : now) + 1) * dayMs)
  return { from: from ?? new Date((dayNumber(new Date(end.getTime() - 1)) - usualDays + 1) * dayMs), to: end }
}

function dayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs)
}

/** A moment, or a day (`2026-11-20`): its begin, or with the edge `end` the begin of the next day. */
function dayOrMoment(edge: 'begin' | 'end') {
  const day = z.iso.date()
  const moment = z.iso.datetime({ offset: true })
  const schema = z.string().transform((text, context) => {
    const isDay = day.safeParse(text).success
    const value = new Date(isDay ? Date.parse(text) + (edge === 'end' ? dayMs : 0) : text)
    if ((isDay || moment.safeParse(text).success) && hasStorableYear(value)) return value
    const message = 'Takes a day such as 2026-11-20, or a moment such as 2026-11-20T12:00:00Z.'
    context.addIssue({ code: 'custom', message, params: { issue: 'bad_format' } satisfies CustomParams })
    return z.NEVER
  })
  return schema.meta({ override: { type: 'string', examples: ['2026-11-20'] } })
}

/** The query of GET /usage. */
export const usageQuery = z.strictObject({
  from: dayOrMoment('begin')
    .optional()
    .meta({ description: 'The first day in UTC, or a moment of that day. Default: thirty days before the end.' }),
  to: dayOrMoment('end').optional().meta({ description: 'The last day, or the first moment after the span. Default: today.' }),
  by: z
    .enum([...usageGroups, ...usageLabels])
    .optional()
    .meta({ description: 'How to group the lines. Default: by day.' }),
  name: z.string().optional().meta({ description: 'The name of an entry of `metadata`; with `by=metadata`, and only then.' }),
  keyId: z.string().optional().meta({ description: 'Only the days of this key; with `by=day`, and without `familyId`.' }),
  familyId: z.string().optional().meta({ description: 'Only the days of this family; with `by=day`, and without `keyId`.' }),
})

/** One key or one family. */
export type UsageFilter = { keyId?: string | null | undefined; familyId?: string | null | undefined }

/** Why a key or a family does not fit the group. */
export function filterFault(by: string, filter: UsageFilter): { at: keyof UsageFilter; code: IssueCode; message: string } | undefined {
  const [first, second] = (['keyId', 'familyId'] as const).filter((name) => typeof filter[name] === 'string')
  if (first === undefined) return undefined
  if (second !== undefined) return { at: second, code: 'conflict', message: 'Use `keyId` or `familyId`, not both.' }
  return by === 'day' ? undefined : { at: first, code: 'conflict', message: `Use \`${first}\` only with \`by=day\`.` }
}

/** Why a name of metadata does not fit the group. */
export function nameFault({ by, name }: { by: string; name: string | undefined }): { code: IssueCode; message: string } | undefined {
  if (by !== 'metadata') return name === undefined ? undefined : { code: 'conflict', message: 'Use `name` only with `by=metadata`.' }
  if (name === undefined || name === '') return { code: 'required', message: '`by=metadata` takes the `name` of an entry.' }
  const isTooLong = codePoints(name) > limits.metadataNameCharacters
  return isTooLong ? { code: 'too_long', message: `Takes at most ${limits.metadataNameCharacters} characters.` } : undefined
}

/** Contract: docs/contract.md#get-the-usage. */
export const usage = z
  .object({
    items: z.array(
      z
        .object({
          day: z.iso.date().optional().meta({ description: 'In UTC; with `by=day`.' }),
          keyId: z.string().nullable().optional().meta({ description: 'With `by=key`; null for generations that no key started.' }),
          familyId: z.string().optional().meta({ description: 'With `by=family`.' }),
          reference: z.string().nullable().optional().meta({ description: 'With `by=reference`; null in the line for all others.' }),
          metadataValue: z.string().nullable().optional().meta({ description: 'With `by=metadata`; null in the line for all others.' }),
          other: z
            .literal(true)
            .optional()
            .meta({ description: 'The line for everything without a line of its own; the last one of `by=reference` and `by=metadata`.' }),
          generations: z.int().min(0).meta({ description: 'The generations that ended in the span, and the active ones.' }),
          ready: z.int().min(0),
          failed: z.int().min(0),
          cancelled: z.int().min(0),
          active: z.int().min(0).meta({ description: 'The open generations that were started in the span.' }),
          creditsCharged: credits,
          creditsHeld: credits.meta({ description: 'The credits held by the active generations.' }),
        })
        .meta({ id: 'UsageLine' }),
    ),
    nextCursor: z.null(),
  })
  .meta({ id: 'Usage' })

export type PublicUsage = z.output<typeof usage>
