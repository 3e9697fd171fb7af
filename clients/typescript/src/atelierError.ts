import type { RefusalCode, RefusalDetails } from './openapi.ts'

/**
 * What happened on this side of the wire: no answer came, none came in time, or something answered that is not the service, such as a
 * proxy on the way.
 */
export type ConnectionCode = 'connection_failed' | 'timed_out' | 'unexpected_answer'

/** A coarse reading of the status, for codes that this release does not know. */
export type ErrorKind = 'request' | 'key' | 'credits' | 'permission' | 'not_found' | 'conflict' | 'rate' | 'service' | 'connection'

export type AtelierErrorFields = {
  code: RefusalCode | ConnectionCode | (string & {})
  message: string
  /** Of the answer; 0 when there was none. */
  status: number
  retryable: boolean
  details?: RefusalDetails
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** A request that was refused, or that got no answer. Program against `code`; meet one that you do not know by `kind` and `retryable`. */
export class AtelierError extends Error {
  override readonly name = 'AtelierError'
  readonly code: AtelierErrorFields['code']
  readonly status: number
  /** Whether the same request may pass when repeated later. */
  readonly retryable: boolean
  /** Machine diagnostics; which of them stand there goes with the code. */
  readonly details: RefusalDetails
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** Of the start that failed: a start with the same body and this key continues it, and never starts a second time. */
  declare idempotencyKey?: string

  constructor(fields: AtelierErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.status = fields.status
    this.retryable = fields.retryable
    this.details = fields.details ?? {}
    this.requestId = fields.requestId
    this.retryAfterSeconds = fields.retryAfterSeconds
  }

  get kind(): ErrorKind {
    return kinds[this.status] ?? (this.status >= 500 ? 'service' : this.status >= 300 ? 'request' : 'connection')
  }
}

const kinds: Record<number, ErrorKind> = { 401: 'key', 402: 'credits', 403: 'permission', 404: 'not_found', 409: 'conflict', 429: 'rate' }
