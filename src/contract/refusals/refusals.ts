import { askOperator } from './askOperator.ts'

/**
 * The closed table of refusals: status, whether a repeat may succeed, and the message for people.
 * Contract: docs/contract.md#codes.
 */
type RefusalRule = { http: number; retryable: boolean; message: string }

function rule(http: number, retryable: boolean, message: string): RefusalRule {
  return { http, retryable, message }
}

export const refusalTable = {
  access_denied: rule(403, false, `External access is disabled for this account. ${askOperator}`),
  account_blocked: rule(403, false, `This account is blocked. ${askOperator}`),
  cancel_conflict: rule(409, true, 'The generation changed its state during the cancel. Read it again, then repeat the cancel.'),
  cost_above_limit: rule(402, false, 'The request costs more than its maxCredits. Raise maxCredits, or choose cheaper parameters.'),
  credit_reservation_failed: rule(402, true, 'The credits could not be reserved. Repeat the request.'),
  family_not_found: rule(400, false, 'The catalog has no such family. Use an id from the list of families.'),
  family_unavailable: rule(503, true, 'The family is temporarily unavailable. Repeat later, or choose another family.'),
  file_fetch_failed: rule(502, false, 'The file could not be downloaded from the link. Check the link, or upload the content.'),
  file_metadata_missing: rule(400, true, 'The service has not measured the input file yet. Repeat in a few seconds.'),
  file_not_found: rule(
    404,
    false,
    'The file or generation does not exist, or has the wrong type for this field. Check its identifier and type.',
  ),
  file_not_ready: rule(409, true, 'The input is not ready yet. Repeat in a few seconds.'),
  file_processing_failed: rule(422, false, 'The file could not be processed. Export it again, and upload the new file.'),
  file_quota_exceeded: rule(409, false, 'There is no room for more unused files. Use some in a generation, or delete some.'),
  generation_not_found: rule(404, false, 'The generation does not exist. Check its identifier.'),
  idempotency_conflict: rule(409, false, 'This Idempotency-Key was used with another request. Use a new key for a new request.'),
  idempotency_in_progress: rule(409, true, 'The first request with this Idempotency-Key is still in progress. Repeat in a few seconds.'),
  insufficient_credits: rule(402, false, 'The account has too few credits available. Add credits, or choose a cheaper request.'),
  insufficient_scope: rule(403, false, 'The key lacks the required scope. Use a key with that scope.'),
  internal_error: rule(
    500,
    true,
    'The service failed. Repeat the request. If it fails again, send the X-Request-Id to the operator of this service.',
  ),
  invalid_cursor: rule(400, false, 'The cursor does not belong to this list and filter. Remove it to start at the first page.'),
  invalid_parameters: rule(400, false, 'The parameters do not match the variant. See the issues in details.'),
  invalid_request: rule(400, false, 'The request is not valid. See the issues in details.'),
  invalid_token: rule(401, false, 'The key does not exist, is revoked or has expired. Use another key.'),
  method_not_allowed: rule(405, false, 'This address does not support the method. Use a method from the Allow header.'),
  not_cancellable: rule(409, false, 'The editor started this generation. Cancel it in the editor.'),
  not_found: rule(404, false, 'Nothing exists at this address. Check the address.'),
  payload_too_large: rule(413, false, 'The content is too large. Send at most the maxBytes in details.'),
  price_unavailable: rule(
    400,
    false,
    'The price depends on parameters that the request does not set. Set the missing parameters in details.',
  ),
  queue_unavailable: rule(500, true, 'The generation queue is unavailable, and nothing was started. Repeat in a few seconds.'),
  rate_limited: rule(429, true, 'You sent too many requests in this minute. Wait for the seconds in Retry-After.'),
  service_unavailable: rule(503, true, 'The service is temporarily unavailable. Repeat in a few seconds.'),
  spend_limit_exceeded: rule(403, false, 'The request exceeds a spend ceiling of the key. Use another key, or choose a cheaper request.'),
  subscription_required: rule(403, false, `The family needs an active subscription. ${askOperator}`),
  team_expired: rule(403, false, `The team's plan has ended. ${askOperator}`),
  team_required: rule(403, false, 'This access requires a team. Use a key of a team.'),
  too_many_concurrent: rule(429, true, 'Too many requests are in progress. Wait until some of them end.'),
  too_many_open: rule(429, true, 'The team has too many open generations in this family. Wait until some of them end.'),
  unauthorized: rule(401, false, 'The request has no key. Send the header Authorization: Bearer <key>.'),
  unsupported_content_type: rule(415, false, 'This endpoint does not support the content type. Use a content type from details.'),
  unsupported_file_format: rule(415, false, 'The file format is not supported. Use a format from details.'),
  variant_not_resolved: rule(400, false, 'No variant takes this combination of inputs. Compare it with the variants in details.'),
} as const satisfies Record<string, RefusalRule>

export type RefusalCode = keyof typeof refusalTable

export type IssueCode =
  | 'required'
  | 'unknown_field'
  | 'wrong_type'
  | 'not_allowed'
  | 'too_small'
  | 'too_big'
  | 'too_long'
  | 'bad_format'
  | 'conflict'

/** One problem of a request; `path` is its place inside `in`. */
export type Issue = {
  in: 'body' | 'query' | 'header' | 'path'
  path: (string | number)[]
  code: IssueCode
  message: string
  allowed?: unknown[]
  /** The most similar allowed name or value. */
  nearest?: string
}

/**
 * `external_access_off`: of the team; `family_restricted`: the team has no grant; `family_disabled_by_team`: by its own people; `role`: the
 * role of the person in the team does not permit this; `subscription`: the person has no active one; `origin`: a page of another origin.
 */
type AccessDeniedCause = 'external_access_off' | 'family_restricted' | 'family_disabled_by_team' | 'role' | 'subscription' | 'origin'

/** The details of each code; other codes have none. Amounts are credits. Contract: docs/contract.md#codes. */
type DetailsByCode = {
  access_denied: { cause: AccessDeniedCause }
  cancel_conflict: { state: string }
  /** `confirmAboveCredits`: a person must confirm first. */
  cost_above_limit: { credits: number; maxCredits: number; confirmAboveCredits?: number }
  credit_reservation_failed: { credits: number }
  family_not_found: { familyId: string | undefined; nearest?: string }
  family_unavailable: { familyId: string; retryAfterSeconds: number }
  file_fetch_failed: { cause: string; status?: number }
  file_metadata_missing: { fileId: string; missing: string[] }
  file_not_found: { ids: string[]; field: string | null }
  file_not_ready: { fileIds: string[]; retryAfterSeconds: number }
  file_processing_failed: { fileId: string | null; cause: string }
  file_quota_exceeded: { filesUsed: number; filesMax: number; bytesUsed: number; bytesMax: number }
  idempotency_conflict: { idempotencyKey: string }
  idempotency_in_progress: { retryAfterSeconds: number }
  insufficient_credits: { credits: number; creditsAvailable: number; creditsHeld: number }
  insufficient_scope: { required?: string; granted: readonly string[] }
  invalid_parameters: { issues: Issue[]; modelId: string | null }
  invalid_request: { issues: Issue[] }
  not_cancellable: { source: string }
  payload_too_large: { maxBytes: number }
  price_unavailable: { modelId: string; missing: string[] }
  queue_unavailable: { retryAfterSeconds: number }
  rate_limited: { limit: number; retryAfterSeconds: number }
  service_unavailable: { retryAfterSeconds: number }
  spend_limit_exceeded:
    | { limitKind: 'single'; limitCredits: number; credits: number }
    | {
        limitKind: 'daily'
        /** Of a person who starts a generation in the admin UI; absent for the ceiling of a key. */
        limitOwner?: 'person'
        limitCredits: number
        credits: number
        spentCredits: number
        heldCredits: number
        resetsAt: string
      }
    | {
        limitKind: 'monthly'
        limitOwner: 'key' | 'team'
        limitCredits: number
        credits: number
        spentCredits: number
        heldCredits: number
        resetsAt: string
      }
  subscription_required: { familyId: string }
  team_required: { missing: 'team' | 'role' }
  too_many_concurrent: { limit: number; retryAfterSeconds: number }
  too_many_open: { limit: number; retryAfterSeconds: number }
  unsupported_content_type: { received: string | null; allowed: string[] }
  unsupported_file_format: { detected: string | null; declared: string | null; allowed: string[] }
  variant_not_resolved: {
    available: unknown[]
    missingInputs: string[]
    excessInputs: string[]
    maxMediaInputs: number
    /** The most similar `modelId`. */
    nearest?: string
  }
}

/** The details of a refusal with that code. */
export type DetailsOf<Code extends RefusalCode> = Code extends keyof DetailsByCode ? DetailsByCode[Code] : undefined

/** The details of any refusal, as they are sent and stored. */
export type RefusalDetails = Record<string, unknown>

/**
 * An expected refusal of a request. Throwing it rolls the transaction back; the transport translates it into a response.
 * `retryable` and `message` come from the table unless they depend on the cause.
 */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error {
  readonly code: Code
  readonly details: RefusalDetails | undefined
  readonly retryable: boolean

  constructor(code: Code, details?: DetailsOf<Code>, options?: { message?: string; retryable?: boolean; cause?: unknown }) {
    super(options?.message ?? refusalTable[code].message, options?.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = details
    this.retryable = options?.retryable ?? refusalTable[code].retryable
  }

  get http(): number {
    return refusalTable[this.code].http
  }

  /** Seconds that the client should wait before a repeat, when `details` names them. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.details?.['retryAfterSeconds']
    return typeof seconds === 'number' ? seconds : undefined
  }
}

/** An `invalid_request` with one issue. */
export function invalidRequest(issue: Issue): Refusal {
  return new Refusal('invalid_request', { issues: [issue] }, { message: issue.message })
}
