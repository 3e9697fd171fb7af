import type { Failure } from '../../contract/failures/failures.ts'
import type { Submitted } from '../provider.ts'

type Answered = { status: number; headers: Record<string, string> }

/** `isOwnError`: the body has the shape of the vendor's own errors, so no proxy wrote the answer. */
type Judged = { now: Date; isOwnError: boolean }

/**
 * The outcome of a submit by its status, for answers without a more precise error; `undefined` for 2xx. A 429 always refuses before
 * processing. A 503 does so only in the vendor's own words: a proxy may send it after the vendor received the request. Throws for 408 and
 * 5xx in other words, since the vendor may have the work.
 */
export function submitRefusal(
  { status, headers }: Answered,
  { now, isOwnError }: Judged,
): Extract<Submitted, { kind: 'busy' | 'failed' }> | undefined {
  if (status >= 200 && status <= 299) return undefined
  if (!isOwnError && (status === 408 || status >= 500)) throw new Error(`answered ${status}, not in the words of the vendor`)
  if (status !== 429 && status !== 503) return { kind: 'failed', failure: statusFailure(status) }
  const retryAfterMs = retryAfter(headers['retry-after'], now)
  return { kind: 'busy', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** The failure for a status, for answers without a more precise error. */
export function statusFailure(status: number): Failure {
  return failures[status] ?? (status >= 500 ? { code: 'provider_error', reason: 'provider_failed' } : unclassified)
}

const unclassified: Failure = { code: 'internal_error', reason: 'unclassified' }
const closed: Failure = { code: 'authentication', reason: 'provider_access_closed' }
const rejected: Failure = { code: 'parameter_validation', reason: 'parameter_rejected' }
const slow: Failure = { code: 'timeout', reason: 'model_timeout' }

const failures: Partial<Record<number, Failure>> = {
  400: rejected,
  401: closed,
  402: closed,
  403: closed,
  404: { code: 'model_unavailable', reason: 'model_offline' },
  408: slow,
  413: { code: 'file_size', reason: 'file_too_large' },
  422: rejected,
  429: { code: 'model_unavailable', reason: 'model_at_capacity' },
  503: { code: 'model_unavailable', reason: 'model_offline' },
  504: slow,
}

/** Longer pauses are cut to this. */
const pauseMsMax = 3_600_000

/** `Retry-After` in milliseconds: seconds, or a date. */
function retryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? ''
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : dateOf(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), pauseMsMax) : undefined
}

/** Requires a weekday, since `Date.parse` accepts many other texts. */
function dateOf(text: string): number {
  return /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN
}
