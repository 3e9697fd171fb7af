import type { Admission } from '../domain/access/admission/admissionBatcher.ts'
import type { RequestLimits } from '../domain/access/admission/admitRequests.ts'
import type { Clock } from '../domain/context.ts'

type RateCount = Pick<Admission, 'requestsCounted' | 'slotsUsed' | 'limits' | 'windowEndsAt'>

/**
 * Returns the headers of the caller's two quotas: requests per minute, and requests in progress.
 * Contract: docs/contract.md#response-headers; RateLimit and RateLimit-Policy follow draft-ietf-httpapi-ratelimit-headers.
 */
export function rateHeaders(counted: RateCount, clock: Clock): Record<string, string> {
  const { requestsPerMinute, requestsInProgress } = counted.limits
  const remaining = Math.max(0, requestsPerMinute - counted.requestsCounted)
  return {
    'X-RateLimit-Limit': String(requestsPerMinute),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(counted.windowEndsAt),
    RateLimit: `"default";r=${remaining};t=${secondsLeft(counted, clock)}`,
    'RateLimit-Policy': `"default";q=${requestsPerMinute};w=60`,
    'X-Concurrency-Limit': String(requestsInProgress),
    'X-Concurrency-Remaining': String(Math.max(0, requestsInProgress - counted.slotsUsed)),
  }
}

/** The same headers for a request that was not counted because the database did not answer. */
export function uncountedHeaders({ settings: limits, clock }: { settings: RequestLimits; clock: Clock }): Record<string, string> {
  const windowEndsAt = (Math.floor(clock.now().getTime() / 60_000) + 1) * 60
  return rateHeaders({ requestsCounted: 0, slotsUsed: 0, limits, windowEndsAt }, clock)
}

/** Seconds until the count resets, at least one. */
export function secondsLeft({ windowEndsAt }: Pick<RateCount, 'windowEndsAt'>, clock: Clock): number {
  return Math.max(1, Math.ceil(windowEndsAt - clock.now().getTime() / 1000))
}
