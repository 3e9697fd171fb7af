import { z } from 'zod'
import { limits } from '../limits.ts'
import { reference } from './callerFields.ts'
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

export const historyStatuses = ['active', 'ready', 'failed'] as const

/** The filters of the history at every interface. */
export const historyFilter = z.object({
  status: z
    .enum(historyStatuses)
    .meta({ id: 'HistoryStatus' })
    .optional()
    .meta({ description: '`active` for open generations. Cancelled generations are listed only without a status.' }),
  reference: reference.optional().meta({ description: 'Only generations with exactly this reference.' }),
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
