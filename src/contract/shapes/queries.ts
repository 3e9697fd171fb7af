import { z } from 'zod'
import { limits } from '../limits.ts'
import type { CustomParams } from '../refusals/issues.ts'
import { reference } from './callerFields.ts'
import { outputType } from './outputTypes.ts'
import { task } from './tasks.ts'

/** The shape of every list. Contract: docs/contract.md#lists. */
export function listOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      items: z.array(item),
      nextCursor: z.string().nullable().meta({ description: 'The cursor of the next page; null at the end.' }),
    })
    .meta({ id })
}

/**
 * A whole number in a query, only decimal digits. `over`: whether a number above `max` is refused or replaced by `max`.
 */
function wholeNumber({ min, max, over }: { min: number; max: number; over: 'refuse' | 'clamp' }) {
  const schema = z.string().transform((text, context) => {
    const refuse = (issue: CustomParams['issue'], message: string) => {
      context.addIssue({ code: 'custom', message, params: { issue } satisfies CustomParams })
      return z.NEVER
    }
    if (!/^\d+$/.test(text)) return refuse('wrong_type', 'Takes a whole number in plain decimal digits.')
    const number = Number(text)
    if (number < min) return refuse('too_small', `Takes at least ${min}.`)
    if (number <= max) return number
    return over === 'clamp' ? max : refuse('too_big', `Takes at most ${max}.`)
  })
  return schema.meta({ override: { type: 'integer', minimum: min, ...(over === 'refuse' ? { maximum: max } : {}) } })
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
  cursor: z.string().optional().meta({ description: 'The `nextCursor` of the previous page, with the same filter.' }),
  limit: wholeNumber({ min: 1, max: limits.historyPageItems, over: 'refuse' })
    .optional()
    .meta({ description: `The page size; default ${limits.historyPageItems}.` }),
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
