import { z } from 'zod'
import { generationSources } from '../../entities/Generation.ts'
import { limits } from '../limits.ts'
import type { CustomParams } from '../refusals/issues.ts'
import { metadata, reference } from './callerFields.ts'
import { hasStorableYear } from './credits.ts'
import { outputType } from './outputTypes.ts'
import { cursor, limit } from './pageQuery.ts'
import { task } from './tasks.ts'
import { wholeNumber } from './wholeNumber.ts'

/** The shape of every list. Contract: docs/contract.md#lists. */
export function listOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      items: z.array(item),
      nextCursor: z.string().nullable().meta({ description: 'The cursor of the next page; null at the end.' }),
    })
    .meta({ id })
}

export const historyStatuses = ['active', 'ready', 'failed', 'cancelled'] as const

/** A moment with a time zone. The GraphQL scalar `DateTime` parses it. */
const moment = z
  .string()
  .refine((text) => z.iso.datetime({ offset: true }).safeParse(text).success && hasStorableYear(new Date(text)), {
    error: 'Takes a moment such as 2026-11-20T12:00:00Z.',
    params: { issue: 'bad_format' } satisfies CustomParams,
  })
  .meta({ override: { type: 'string', format: 'date-time' } })

/** The filters of the history at every interface. */
export const historyFilter = z.object({
  status: z
    .enum(historyStatuses)
    .meta({ id: 'HistoryStatus' })
    .optional()
    .meta({ description: '`active` for open generations. Without a status, generations of every state are listed.' }),
  reference: reference.optional().meta({ description: 'Only generations with exactly this reference.' }),
  familyId: z.string().min(1).optional().meta({ description: 'Only generations of this family.' }),
  keyId: z.string().min(1).optional().meta({ description: 'Only generations that this key started.' }),
  source: z.enum(generationSources).optional().meta({ description: 'Only generations that were started through this interface.' }),
  createdAfter: moment.optional().meta({ description: 'Only generations created at this moment or later.' }),
  createdBefore: moment.optional().meta({ description: 'Only generations created before this moment.' }),
  metadata: metadata.optional().meta({
    description: 'Only generations whose metadata has these values, such as `metadata[project]=harbour`.',
    param: { style: 'deepObject', explode: true },
  }),
})

export type PublicHistoryFilter = z.output<typeof historyFilter>

/** The query of GET /generations. */
export const historyQuery = z.strictObject({
  cursor,
  limit,
  ...historyFilter.shape,
})

/** The query of GET /generations/{id}, and of a start. */
export const waitQuery = z.strictObject({
  wait: wholeNumber({ min: 0, max: limits.waitSecondsMax, over: 'clamp' })
    .optional()
    .meta({
      description: `Delay the response until the generation ends, for at most this many seconds. More than ${limits.waitSecondsMax} counts as ${limits.waitSecondsMax}.`,
    }),
})

/** The query of GET /families. */
export const familiesQuery = z.strictObject({
  task: task.optional().meta({ description: 'Only families with a variant for this task.' }),
  outputType: outputType.optional().meta({ description: 'Only families with this output type.' }),
})

/** The query of an endpoint without query parameters. */
export const noQuery = z.strictObject({})

/** The body of a request without fields; it may be empty. */
export const noBody = z.strictObject({})
