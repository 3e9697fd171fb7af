/**
 * The closed table of refusals: what an endpoint says when it says no.
 * Spec: Errors, Endpoint refusals. Contract: section 4.
 */
type RefusalRule = { http: number; retryable: boolean; message: string }

export const refusalTable = {
  access_denied: { http: 403, retryable: false, message: 'External access is switched off for this account.' },
  account_blocked: { http: 403, retryable: false, message: 'This account is blocked.' },
  cancel_conflict: { http: 409, retryable: true, message: 'The generation changed its state during the cancel.' },
  cost_above_limit: { http: 402, retryable: false, message: 'The request costs more than its maxCredits.' },
  credit_reservation_failed: { http: 402, retryable: true, message: 'The credits could not be held.' },
  family_not_found: { http: 400, retryable: false, message: 'The catalog has no such family.' },
  family_unavailable: { http: 503, retryable: true, message: 'The family is temporarily unavailable.' },
  file_fetch_failed: { http: 502, retryable: false, message: 'The file at the link could not be fetched.' },
  file_metadata_missing: { http: 400, retryable: true, message: 'The input file has not been measured yet.' },
  file_not_found: { http: 404, retryable: false, message: 'There is no such file or generation.' },
  file_not_ready: { http: 409, retryable: true, message: 'The input is still being processed.' },
  file_processing_failed: { http: 422, retryable: false, message: 'The file could not be processed.' },
  generation_not_found: { http: 404, retryable: false, message: 'There is no such generation.' },
  idempotency_conflict: { http: 409, retryable: false, message: 'This Idempotency-Key was used with other parameters.' },
  idempotency_in_progress: { http: 409, retryable: true, message: 'The request with this Idempotency-Key is still running.' },
  insufficient_credits: { http: 402, retryable: false, message: 'The account has too few credits available.' },
  insufficient_scope: { http: 403, retryable: false, message: 'The key lacks the scope that this needs.' },
  internal_error: { http: 500, retryable: true, message: 'Something failed on our side.' },
  invalid_cursor: { http: 400, retryable: false, message: 'The cursor does not come from an earlier response to this query.' },
  invalid_parameters: { http: 400, retryable: false, message: 'The parameters do not fit the variant.' },
  invalid_request: { http: 400, retryable: false, message: 'The request is not valid.' },
  invalid_token: { http: 401, retryable: false, message: 'The key does not exist, is revoked or has expired.' },
  method_not_allowed: { http: 405, retryable: false, message: 'This address does not take that method.' },
  not_cancellable: { http: 409, retryable: false, message: 'The generation was started in the editor and is cancelled there.' },
  not_found: { http: 404, retryable: false, message: 'There is nothing at this address.' },
  payload_too_large: { http: 413, retryable: false, message: 'The content is larger than allowed.' },
  price_unavailable: { http: 400, retryable: false, message: 'No price can be formed for these parameters.' },
  queue_unavailable: { http: 500, retryable: true, message: 'The generation queue is unavailable.' },
  rate_limited: { http: 429, retryable: true, message: 'Too many requests in this minute.' },
  service_unavailable: { http: 503, retryable: true, message: 'The service is temporarily unavailable.' },
  spend_limit_exceeded: { http: 403, retryable: false, message: 'A spend ceiling of the key stands in the way.' },
  subscription_required: { http: 403, retryable: false, message: 'The family needs an active subscription.' },
  team_expired: { http: 403, retryable: false, message: "The team's plan has ended." },
  team_required: { http: 403, retryable: false, message: 'This access goes with a team.' },
  too_many_concurrent: { http: 429, retryable: true, message: 'Too many requests are in progress at once.' },
  unauthorized: { http: 401, retryable: false, message: 'The request carries no key.' },
  unsupported_content_type: { http: 415, retryable: false, message: 'This endpoint does not take that content type.' },
  unsupported_file_format: { http: 415, retryable: false, message: 'The content is of no accepted format.' },
  variant_not_resolved: { http: 400, retryable: false, message: 'No variant takes this set of inputs.' },
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

/** The details that go with each code; a code that stands here not has none. Amounts are credits. Contract: section 4, table of codes. */
type DetailsByCode = {
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
