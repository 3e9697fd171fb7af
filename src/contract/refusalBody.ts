import { z } from 'zod'
import { refusalDetails } from './refusalDetails.ts'
import { type Refusal, type RefusalCode, type RefusalDetails, refusalTable } from './refusals.ts'

/** Every refusal code, in the order of the table. */
export const refusalCodes = Object.keys(refusalTable) as [RefusalCode, ...RefusalCode[]]

/** The codes of this release. Clients handle one that they do not know by its status and `retryable`. */
const refusalCode = z.enum(refusalCodes).meta({
  id: 'RefusalCode',
  description: 'The codes of this release; later ones may add to them, so handle an unknown one by its status and `retryable`.',
})

const refusalError = z
  .object({
    code: z
      .union([refusalCode, z.string()])
      .meta({ description: 'The one thing to program against: a `RefusalCode`, or one that a later release adds.' }),
    message: z.string().meta({ description: 'For people; may change.' }),
    retryable: z.boolean().meta({ description: 'Whether repeating the same request unchanged makes sense.' }),
    details: refusalDetails.optional(),
  })
  .meta({ id: 'RefusalError' })

/** Spec: Endpoint refusal object. */
export const refusalBody = z.object({ error: refusalError }).meta({ id: 'Refusal', description: 'An endpoint says no.' })

/** A refusal as it is sent. */
export type RefusalBody = { error: { code: RefusalCode; message: string; retryable: boolean; details?: RefusalDetails } }

export function presentRefusal(refusal: Refusal): RefusalBody {
  const { code, message, retryable, details } = refusal
  return { error: { code, message, retryable, ...(details && Object.keys(details).length > 0 ? { details } : {}) } }
}
