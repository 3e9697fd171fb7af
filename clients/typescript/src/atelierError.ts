import type { RefusalCode, RefusalDetails } from './openapi.ts'

/**
 * What happened on this side of the wire: no answer came, none came in time, or something answered that is not the service, such as a
 * proxy on the way.
 */
export type ConnectionCode = 'connection_failed' | 'timed_out' | 'unexpected_answer'

/** The codes that this release knows, and those that a later service may have. */
export type ErrorCode = RefusalCode | ConnectionCode | (string & {})

/** A coarse reading of the status, for codes that this release does not know. */
export type ErrorKind = 'request' | 'key' | 'credits' | 'permission' | 'not_found' | 'conflict' | 'rate' | 'service' | 'connection'

export type AtelierErrorFields<Code extends string = ErrorCode, Details = RefusalDetails> = {
  code: Code
  message: string
  /** Of the answer; 0 when there was none. */
  status: number
  retryable: boolean
  details?: Details | undefined
  docUrl?: string | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/**
 * A request that was refused, or that got no answer. Each code has a class of its own, named after it (`InsufficientCredits`), below one
 * for its kind (`CreditsError`). Program against those or `code`; meet a code that you do not know by `kind` and `retryable`.
 */
export class AtelierError<Code extends string = ErrorCode, Details = RefusalDetails> extends Error {
  override readonly name = 'AtelierError'
  readonly code: Code
  readonly kind: ErrorKind
  readonly status: number
  /** Whether the same request may pass when repeated later. */
  readonly retryable: boolean
  /** Machine diagnostics; which of them stand there goes with the code. */
  readonly details: Details
  /** Where this code is explained; absent where the service is older, or did not answer. */
  readonly docUrl: string | undefined
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** Of the start that failed: a start with the same body and this key continues it, and never starts a second time. */
  declare idempotencyKey?: string

  constructor(fields: AtelierErrorFields<Code, Details>) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.kind = kindOf(fields.status)
    this.status = fields.status
    this.retryable = fields.retryable
    this.details = fields.details ?? ({} as Details)
    this.docUrl = fields.docUrl
    this.requestId = fields.requestId
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/** The kind of everything that is answered with this status. */
export function kindOf(status: number): ErrorKind {
  return kinds[status] ?? (status >= 500 ? 'service' : status >= 300 ? 'request' : 'connection')
}

const kinds: Record<number, ErrorKind> = { 401: 'key', 402: 'credits', 403: 'permission', 404: 'not_found', 409: 'conflict', 429: 'rate' }
