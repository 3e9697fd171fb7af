import { askOperator } from './askOperator.ts'

/**
 * The closed table of refusals: what an endpoint says when it says no.
 * Contract: docs/contract.md#codes.
 */
type RefusalRule = { http: number; retryable: boolean; message: string }

function rule(http: number, retryable: boolean, message: string): RefusalRule {
  return { http, retryable, message }
}

export const refusalTable = {
  access_denied: rule(403, false, `External access is switched off for this account. ${askOperator}`),
  account_blocked: rule(403, false, `This account is blocked. ${askOperator}`),
  cancel_conflict: rule(409, true, 'The generation changed its state during the cancel. Read it again, then cancel once more.'),
  cost_above_limit: rule(402, false, 'The request costs more than its maxCredits. Raise that, or ask for less.'),
  credit_reservation_failed: rule(402, true, 'The credits could not be held. Repeat the request.'),
  family_not_found: rule(400, false, 'The catalog has no such family. Take the id of one that is listed.'),
  family_unavailable: rule(503, true, 'The family is temporarily unavailable. Repeat later, or choose another.'),
  file_fetch_failed: rule(502, false, 'The file at the link could not be fetched. Check the link, or send the content.'),
  file_metadata_missing: rule(400, true, 'The input file has not been measured yet. Repeat in a few seconds.'),
  file_not_found: rule(404, false, 'There is no such file or generation. Check its identifier, and the kind that the field takes.'),
  file_not_ready: rule(409, true, 'The input is still being processed. Repeat in a few seconds.'),
  file_processing_failed: rule(422, false, 'The file could not be processed. Save it anew, and send that.'),
  generation_not_found: rule(404, false, 'There is no such generation. Check its identifier.'),
  idempotency_conflict: rule(409, false, 'This Idempotency-Key was used with other parameters. Take a new one for a new request.'),
  idempotency_in_progress: rule(409, true, 'The request with this Idempotency-Key is still running. Repeat in a moment.'),
  insufficient_credits: rule(402, false, 'The account has too few credits available. Have some added, or ask for less.'),
  insufficient_scope: rule(403, false, 'The key lacks the scope that this needs. Use a key that has it.'),
  internal_error: rule(500, true, 'Something failed on our side. Repeat; if it stays, tell whoever runs this service the X-Request-Id.'),
  invalid_cursor: rule(400, false, 'The cursor does not come from an earlier response to this query. Leave it out to begin anew.'),
  invalid_parameters: rule(400, false, 'The parameters do not fit the variant. The issues in details say where.'),
  invalid_request: rule(400, false, 'The request is not valid. The issues in details say where.'),
  invalid_token: rule(401, false, 'The key does not exist, is revoked or has expired. Use another.'),
  method_not_allowed: rule(405, false, 'This address does not take that method. The Allow header names those that it takes.'),
  not_cancellable: rule(409, false, 'The generation was started in the editor and is cancelled there.'),
  not_found: rule(404, false, 'There is nothing at this address.'),
  payload_too_large: rule(413, false, 'The content is larger than allowed. Send less.'),
  price_unavailable: rule(400, false, 'No price can be formed for these parameters. Give those that details name as missing.'),
  queue_unavailable: rule(500, true, 'The generation queue is unavailable. Nothing was started; repeat in a few seconds.'),
  rate_limited: rule(429, true, 'Too many requests in this minute. Wait as long as Retry-After says.'),
  service_unavailable: rule(503, true, 'The service is temporarily unavailable. Repeat in a few seconds.'),
  spend_limit_exceeded: rule(403, false, 'A spend ceiling of the key stands in the way. Use another key, or ask for less.'),
  subscription_required: rule(403, false, `The family needs an active subscription. ${askOperator}`),
  team_expired: rule(403, false, `The team's plan has ended. ${askOperator}`),
  team_required: rule(403, false, 'This access goes with a team. Use a key that was issued for one.'),
  too_many_concurrent: rule(429, true, 'Too many requests are in progress at once. Let some of them end first.'),
  too_many_open: rule(429, true, 'The team has too many open generations in this family. Let some of them end first.'),
  unauthorized: rule(401, false, 'The request carries no key. Send the header Authorization: Bearer <key>.'),
  unsupported_content_type: rule(415, false, 'This endpoint does not take that content type. Send one that details allow.'),
  unsupported_file_format: rule(415, false, 'The content is of no accepted format. Send one that details allow.'),
  variant_not_resolved: rule(400, false, 'No variant takes this set of inputs. Compare it with those in details.'),
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

/** One problem of a request; `path` leads to the offending place inside `in`. */
export type Issue = {
  in: 'body' | 'query' | 'header' | 'path'
  path: (string | number)[]
  code: IssueCode
  message: string
  allowed?: unknown[]
  /** The name or value that is taken and was probably meant. */
  nearest?: string
}

/** The details that go with each code; a code that stands here not has none. Amounts are credits. Contract: docs/contract.md#codes. */
type DetailsByCode = {
  /** `role`: the person behind the key may not do this in the team. */
  access_denied: { cause: 'role' }
  cancel_conflict: { state: string }
  /** `confirmAboveCredits` where a person has to agree first. */
  cost_above_limit: { credits: number; maxCredits: number; confirmAboveCredits?: number }
  credit_reservation_failed: { credits: number }
  family_not_found: { familyId: string | undefined; nearest?: string }
  family_unavailable: { familyId: string; retryAfterSeconds: number }
  file_fetch_failed: { cause: string; status?: number }
  file_metadata_missing: { fileId: string; missing: string[] }
  file_not_found: { ids: string[]; field: string | null }
  file_not_ready: { fileIds: string[]; retryAfterSeconds: number }
  file_processing_failed: { fileId: string | null; cause: string }
  idempotency_conflict: { idempotencyKey: string }
  idempotency_in_progress: { retryAfterSeconds: number }
  insufficient_credits: { credits: number; creditsAvailable: number; creditsHeld: number }
  insufficient_scope: { required?: string; granted: readonly string[] }
  invalid_parameters: { issues: Issue[]; modelId: string | null }
  invalid_request: { issues: Issue[] }
  not_cancellable: { source: string }
  /** The rest where a team's unused files stand in the way. */
  payload_too_large: { maxBytes: number; maxFiles?: number; unusedBytes?: number; unusedFiles?: number }
  price_unavailable: { modelId: string; missing: string[] }
  queue_unavailable: { retryAfterSeconds: number }
  rate_limited: { limit: number; retryAfterSeconds: number }
  service_unavailable: { retryAfterSeconds: number }
  spend_limit_exceeded:
    | { limitKind: 'single'; limitCredits: number; credits: number }
    | { limitKind: 'daily'; limitCredits: number; credits: number; spentCredits: number; heldCredits: number; resetsAt: string }
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
    /** The `modelId` that was probably meant. */
    nearest?: string
  }
}

/** What a refusal with that code may carry. */
export type DetailsOf<Code extends RefusalCode> = Code extends keyof DetailsByCode ? DetailsByCode[Code] : undefined

/** Those of any refusal, as they are sent and stored. */
export type RefusalDetails = Record<string, unknown>

/**
 * An expected no. Thrown from a rule it rolls the transaction back; a door turns it into its answer.
 * `retryable` and `message` default to the table and may be set where they depend on the cause.
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

/** An `invalid_request` about a single place. */
export function invalidRequest(issue: Issue): Refusal {
  return new Refusal('invalid_request', { issues: [issue] }, { message: issue.message })
}
