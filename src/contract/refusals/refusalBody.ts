import { z } from 'zod'
import type { DocUrls } from '../docUrl.ts'
import { credits, moment } from '../shapes/credits.ts'
import { variantInputs } from '../shapes/family.ts'
import { type IssueCode, type Refusal, type RefusalCode, type RefusalDetails, refusalTable } from './refusals.ts'

/** Every refusal code, in the order of the table. */
export const refusalCodes = Object.keys(refusalTable) as [RefusalCode, ...RefusalCode[]]

/** The codes of this release. Clients handle one that they do not know by its status and `retryable`. */
const refusalCode = z.enum(refusalCodes).meta({
  id: 'RefusalCode',
  description: 'The codes of this release; later ones may add to them, so handle an unknown one by its status and `retryable`.',
})

const issueCodes = {
  required: 'required',
  unknown_field: 'unknown_field',
  wrong_type: 'wrong_type',
  not_allowed: 'not_allowed',
  too_small: 'too_small',
  too_big: 'too_big',
  too_long: 'too_long',
  bad_format: 'bad_format',
  conflict: 'conflict',
} as const satisfies { [Code in IssueCode]: Code }

const issue = z
  .object({
    in: z.enum(['body', 'query', 'header', 'path']).meta({ id: 'IssuePlace', description: 'The part of the request that it is about.' }),
    path: z.array(z.union([z.string(), z.int()])).meta({ description: 'Leads to the offending place.' }),
    code: z.enum(issueCodes).meta({ id: 'IssueCode' }),
    message: z.string(),
    allowed: z.array(z.unknown()).optional().meta({ description: 'What would be taken there.' }),
    nearest: z
      .string()
      .optional()
      .meta({ description: 'The name or value that is taken and was probably meant; absent where none is near.' }),
  })
  .meta({ id: 'Issue', description: 'One problem of a request.' })

const availableVariant = z
  .object({ modelId: z.string(), task: z.string(), axes: z.record(z.string(), z.string()), inputs: variantInputs })
  .meta({ id: 'AvailableVariant', description: 'A variant that would take the request, or that the family has.' })

/** Machine diagnostics of a refusal; which of them stand there goes with its code. Contract: docs/contract.md#codes. */
const refusalDetails = z
  .looseObject({
    issues: z.array(issue),
    retryAfterSeconds: z.number().min(0),
    credits: credits.meta({ description: 'What the request costs.' }),
    maxCredits: credits,
    confirmAboveCredits: credits.meta({ description: 'Above this the owner of the key wants to be asked.' }),
    creditsAvailable: credits,
    creditsHeld: credits,
    limitKind: z.enum(['daily', 'single']).meta({ id: 'LimitKind', description: 'Which ceiling of the key was hit.' }),
    limitCredits: credits,
    spentCredits: credits,
    heldCredits: credits,
    resetsAt: moment.meta({ description: 'When the daily ceiling counts anew.' }),
    familyId: z.string(),
    nearest: z.string().meta({ description: 'The familyId or modelId that was probably meant; absent where none is near.' }),
    modelId: z.string().nullable(),
    available: z.array(availableVariant),
    missingInputs: z.array(z.string()),
    excessInputs: z.array(z.string()),
    maxMediaInputs: z.int(),
    fileId: z.string().nullable().meta({ description: 'The file; null when none was kept.' }),
    fileIds: z.array(z.string()).meta({ description: 'The inputs that are not ready.' }),
    ids: z.array(z.string()).meta({ description: 'The inputs that were not found.' }),
    field: z.string().nullable().meta({ description: 'The request field that named them; null when the address did.' }),
    missing: z
      .union([z.string(), z.array(z.string())])
      .meta({ description: 'What is missing: `team` or `role`, or names of measures or parameters.' }),
    cause: z.string(),
    status: z.int().meta({ description: 'The status with which a remote server answered.' }),
    state: z.string(),
    source: z.string(),
    idempotencyKey: z.string(),
    required: z.string().meta({ description: 'The scope that is needed.' }),
    granted: z.array(z.string()).meta({ description: 'The scopes that the key has.' }),
    limit: z.int(),
    maxBytes: z.int(),
    maxFiles: z.int().meta({ description: 'How many files that no generation has used may be kept.' }),
    unusedBytes: z.int().meta({ description: 'What the files that no generation has used hold together.' }),
    unusedFiles: z.int(),
    received: z.string().nullable(),
    detected: z.string().nullable(),
    declared: z.string().nullable(),
    allowed: z.array(z.string()),
  })
  .partial()
  .meta({ id: 'RefusalDetails', description: 'Machine diagnostics; which of them stand there goes with the code.' })

const refusalError = z
  .object({
    code: z
      .union([refusalCode, z.string()])
      .meta({ description: 'The one thing to program against: a `RefusalCode`, or one that a later release adds.' }),
    message: z.string().meta({ description: 'For people; may change.' }),
    retryable: z.boolean().meta({ description: 'Whether repeating the same request unchanged makes sense.' }),
    details: refusalDetails.optional(),
    docUrl: z.url().meta({ description: 'The page that explains this code, and what to do about it.' }),
  })
  .meta({ id: 'RefusalError' })

/** Contract: docs/contract.md#refusal-object. */
export const refusalBody = z.object({ error: refusalError }).meta({ id: 'Refusal', description: 'An endpoint says no.' })

/** A refusal as it is sent. */
export type RefusalBody = { error: { code: RefusalCode; message: string; retryable: boolean; details?: RefusalDetails; docUrl: string } }

export function presentRefusal(refusal: Refusal, docUrls: DocUrls): RefusalBody {
  const { code, message, retryable, details } = refusal
  return {
    error: { code, message, retryable, ...(details && Object.keys(details).length > 0 ? { details } : {}), docUrl: docUrls.refusal(code) },
  }
}
