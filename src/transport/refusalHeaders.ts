import type { Refusal, RefusalCode } from '../contract/refusals/refusals.ts'

/** Default of Retry-After in seconds, for refusals whose details do not contain it. */
const retryAfterSeconds: Partial<Record<RefusalCode, number>> = {
  rate_limited: 1,
  too_many_concurrent: 1,
  too_many_open: 10,
  file_not_ready: 1,
  idempotency_in_progress: 1,
  family_unavailable: 5,
  queue_unavailable: 5,
  service_unavailable: 5,
}

/** Whether refusals with this code have `Retry-After`. */
export function hasRetryAfter(code: RefusalCode): boolean {
  return retryAfterSeconds[code] !== undefined
}

/**
 * Returns the headers of a refusal, the same for all APIs: `WWW-Authenticate` and `Retry-After`.
 * Contract: docs/contract.md#response-headers.
 */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  if (refusal.http === 401) return { 'WWW-Authenticate': challengeOf(refusal) }
  const usual = retryAfterSeconds[refusal.code]
  if (usual === undefined) return {}
  return { 'Retry-After': String(Math.max(1, Math.ceil(refusal.retryAfterSeconds ?? usual))) }
}

function challengeOf({ code }: Refusal): string {
  return code === 'invalid_token' ? 'Bearer realm="atelier", error="invalid_token"' : 'Bearer realm="atelier"'
}
