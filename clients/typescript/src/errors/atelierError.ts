import type { GenerationRequest, RefusalCode, RefusalDetails } from '../openapi.ts'

/** An error without a response of the service: no response, a timeout, or a response from something else, such as a proxy. */
export type ConnectionCode = 'connection_failed' | 'timed_out' | 'unexpected_answer'

/** The codes of this release. A later service may send others. */
export type ErrorCode = RefusalCode | ConnectionCode | (string & {})

/** A broad category, for unknown codes. */
export type ErrorKind = 'request' | 'key' | 'credits' | 'permission' | 'not_found' | 'conflict' | 'rate' | 'service' | 'connection'

export type AtelierErrorFields<Code extends string = ErrorCode, Details = RefusalDetails> = {
  code: Code
  message: string
  /** The status of the response; 0 without one. */
  status: number
  retryable: boolean
  details?: Details | undefined
  docUrl?: string | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/**
 * A refused request, or one without a response. Each code has a class named after it (`InsufficientCreditsError`), which extends the class
 * of its kind (`CreditsError`). Handle errors by these classes or by `code`, and unknown codes by `kind` and `retryable`.
 */
export class AtelierError<Code extends string = ErrorCode, Details = RefusalDetails> extends Error {
  override readonly name = 'AtelierError'
  readonly code: Code
  readonly kind: ErrorKind
  readonly status: number
  /** True when the same request may succeed later. */
  readonly retryable: boolean
  /** Details for programs; their fields depend on the code. */
  readonly details: Details
  /** The documentation of this code; absent without a response, and from older services. */
  readonly docUrl: string | undefined
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The key of the failed start. A start with the same body and this key continues it, and never starts twice. */
  declare idempotencyKey?: string
  /** The body of the failed start, with the identifiers of its uploads. Send it again with `idempotencyKey`. */
  declare request?: GenerationRequest

  constructor(fields: AtelierErrorFields<Code, Details>) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.kind = kindOf(fields.status, fields.code)
    this.status = fields.status
    this.retryable = fields.retryable
    this.details = fields.details ?? ({} as Details)
    this.docUrl = fields.docUrl
    this.requestId = fields.requestId
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/** The kind of a code with this status. An exceeded ceiling has the status 403, but it is about credits. */
export function kindOf(status: number, code: string): ErrorKind {
  if (code === 'spend_limit_exceeded') return 'credits'
  return kinds[status] ?? (status >= 500 ? 'service' : status >= 300 ? 'request' : 'connection')
}

const kinds: Record<number, ErrorKind> = { 401: 'key', 402: 'credits', 403: 'permission', 404: 'not_found', 409: 'conflict', 429: 'rate' }
