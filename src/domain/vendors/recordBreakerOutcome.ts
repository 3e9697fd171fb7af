import type { Failure } from '../../contract/failures/failures.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import type { BreakerSubject } from './breakers.ts'

/** What the end of a generation means for breakers: a failure of one subject, or a success of several. */
export type BreakerOutcome = { faultOf: BreakerSubject } | { successOf: readonly BreakerSubject[] }

/** Contract: docs/contract.md#lock-after-failures. */
const faultsMax = 5
const firstLockSeconds = 30
const longestLockSeconds = 600

const recordOutcome = statement<{ subject: BreakerSubject; seconds: number }>(
  'record_breaker_outcome',
  'select subject, seconds from record_breaker_outcome($1, $2, $3::text[], $4, $5, $6)',
)

/**
 * Records the end of a generation in the breakers of its family and vendor, in the transaction that ends it. Five consecutive failures of
 * five different requests or of three owners lock for 30 s. A failed trial locks for twice as long as before, up to ten minutes, or for
 * the same time when its request is known to fail. A success unlocks. Locks: breakers.
 * Contract: docs/contract.md#lock-after-failures. See `migrations/functions/record_breaker_outcome.sql`.
 */
export async function recordBreakerOutcome(inside: Context, generationId: string, outcome: BreakerOutcome): Promise<void> {
  const faultOf = 'faultOf' in outcome ? outcome.faultOf : null
  const successOf = 'successOf' in outcome ? outcome.successOf : []
  const limits = [faultsMax, firstLockSeconds, longestLockSeconds]
  for (const { subject, seconds } of await inside.sql.all(recordOutcome, [generationId, faultOf, successOf, ...limits])) {
    if (seconds > 0) inside.log.warn({ subject, seconds, generationId }, 'locked after consecutive failures')
    else inside.log.info({ subject, generationId }, 'unlocked')
  }
}

/**
 * The breaker outcome of a failure; `undefined` when the caller or this service caused it, or it is `unclassified`. Failures of the
 * account count for the vendor with all its families, others for the family.
 */
export function breakerOutcomeOfFailure(
  { code, reason }: Failure,
  { familyId, providerId }: { familyId: string; providerId: string },
): BreakerOutcome | undefined {
  if (code === 'authentication') return { faultOf: `vendor:${providerId}` }
  const isOfFamily = code === 'model_unavailable' || code === 'timeout' || code === 'provider_error' || reason === 'submit_unknown'
  return isOfFamily ? { faultOf: `family:${familyId}` } : undefined
}
