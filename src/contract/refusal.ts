import { z } from 'zod'
import { type Refusal, type RefusalCode, refusalTable } from '../domain/refusals.ts'

/** Every refusal code, in the order of the table. */
export const refusalCodes = Object.keys(refusalTable) as [RefusalCode, ...RefusalCode[]]

/** Spec: Endpoint refusal object. */
export const refusalBody = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'The one thing to program against.', examples: ['invalid_request'] }),
      message: z.string().meta({ description: 'For people; may change.' }),
      retryable: z.boolean().meta({ description: 'Whether repeating the same request unchanged makes sense.' }),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Refusal', description: 'An endpoint says no.' })

export type RefusalBody = z.output<typeof refusalBody>

export function presentRefusal(refusal: Refusal): RefusalBody {
  const { code, message, retryable, details } = refusal
  return { error: { code, message, retryable, ...(details && Object.keys(details).length > 0 ? { details } : {}) } }
}
