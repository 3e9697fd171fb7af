import { z } from 'zod'
import type { DocUrls } from '../docUrl.ts'
import { credits, moment } from '../shapes/credits.ts'
import { variantInputs } from '../shapes/family.ts'
import { type IssueCode, type Refusal, type RefusalCode, type RefusalDetails, refusalTable } from './refusals.ts'

/** Every refusal code, in the order of the table. */
export const refusalCodes = Object.keys(refusalTable) as [RefusalCode, ...RefusalCode[]]

/** The codes of this release. Clients handle an unknown code by its status and `retryable`. */
const refusalCode = z.enum(refusalCodes).meta({
  id: 'RefusalCode',
  description: 'The codes of this release. A later release may add codes: handle an unknown code by its status and `retryable`.',
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
    in: z.enum(['body', 'query', 'header', 'path']).meta({ id: 'IssuePlace', description: 'The part of the request with the problem.' }),
    path: z.array(z.union([z.string(), z.int()])).meta({ description: 'The place of the problem.' }),
    code: z.enum(issueCodes).meta({ id: 'IssueCode' }),
    message: z.string(),
    allowed: z.array(z.unknown()).optional().meta({ description: 'The allowed values.' }),
    nearest: z.string().optional().meta({ description: 'The most similar allowed name or value; absent when none is similar.' }),
  })
  .meta({ id: 'Issue', description: 'One problem of a request.' })

const availableVariant = z
  .object({ modelId: z.string(), task: z.string(), axes: z.record(z.string(), z.string()), inputs: variantInputs })
  .meta({ id: 'AvailableVariant', description: 'A variant that takes the request, or a variant of the family.' })

/** Machine-readable details of a refusal; the code determines which fields are present. Contract: docs/contract.md#codes. */
const refusalDetails = z
  .looseObject({
    issues: z.array(issue),
    retryAfterSeconds: z.number().min(0),
    credits: credits.meta({ description: 'The price of the request.' }),
    maxCredits: credits,
    confirmAboveCredits: credits.meta({ description: 'A price above this needs the confirmation of a person.' }),
    creditsAvailable: credits,
    creditsHeld: credits,
    limitKind: z.enum(['daily', 'single', 'monthly']).meta({ id: 'LimitKind', description: 'The exceeded ceiling.' }),
    limitOwner: z.enum(['key', 'team']).meta({ id: 'LimitOwner', description: 'Whose monthly ceiling it is.' }),
    limitCredits: credits,
    spentCredits: credits,
    heldCredits: credits,
    resetsAt: moment.meta({ description: 'When the daily or monthly ceiling resets.' }),
    familyId: z.string(),
    nearest: z.string().meta({ description: 'The most similar familyId or modelId; absent when none is similar.' }),
    modelId: z.string().nullable(),
    available: z.array(availableVariant),
    missingInputs: z.array(z.string()),
    excessInputs: z.array(z.string()),
    maxMediaInputs: z.int(),
    fileId: z.string().nullable().meta({ description: 'The file; null when no file was stored.' }),
    fileIds: z.array(z.string()).meta({ description: 'The inputs that are not ready.' }),
    ids: z.array(z.string()).meta({ description: 'The inputs that were not found.' }),
    field: z.string().nullable().meta({ description: 'The request field with the identifiers; null when they came from the path.' }),
    missing: z
      .union([z.string(), z.array(z.string())])
      .meta({ description: 'The missing `team` or `role`, or the names of missing measurements or parameters.' }),
    cause: z.string(),
    status: z.int().meta({ description: 'The status of the response of a remote server.' }),
    state: z.string(),
    source: z.string(),
    idempotencyKey: z.string(),
    required: z.string().meta({ description: 'The required scope.' }),
    granted: z.array(z.string()).meta({ description: 'The scopes of the key.' }),
    limit: z.int(),
    maxBytes: z.int(),
    filesUsed: z.int().meta({ description: 'The files that no generation has used.' }),
    filesMax: z.int(),
    bytesUsed: z.int().meta({ description: 'The total size of files that no generation has used.' }),
    bytesMax: z.int(),
    received: z.string().nullable(),
    detected: z.string().nullable(),
    declared: z.string().nullable(),
    allowed: z.array(z.string()),
  })
  .partial()
  .meta({ id: 'RefusalDetails', description: 'Machine-readable details. The code determines which fields are present.' })

/** The `error` of a refusal. */
export const refusalError = z
  .object({
    code: z
      .union([refusalCode, z.string()])
      .meta({ description: 'Program against this code: a `RefusalCode`, or a code that a later release adds.' }),
    message: z.string().meta({ description: 'For people; may change between releases.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed when it is repeated.' }),
    details: refusalDetails.optional(),
    docUrl: z.url().meta({ description: 'The page that explains this code and its remedy.' }),
  })
  .meta({ id: 'RefusalError' })

/** Contract: docs/contract.md#refusal-object. */
export const refusalBody = z.object({ error: refusalError }).meta({ id: 'Refusal', description: 'The body of a refusal.' })

/** A refusal as it is sent to the client. */
export type RefusalBody = { error: { code: RefusalCode; message: string; retryable: boolean; details?: RefusalDetails; docUrl: string } }

export function presentRefusal(refusal: Refusal, docUrls: DocUrls): RefusalBody {
  const { code, message, retryable, details } = refusal
  return {
    error: { code, message, retryable, ...(details && Object.keys(details).length > 0 ? { details } : {}), docUrl: docUrls.refusal(code) },
  }
}
