import type { Failure } from '../../contract/failures/failures.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import type { BreakerSubject } from './breakers.ts'

/** What an end says of who made it: a failure of theirs, or that all went well. */
export type BreakerOutcome = { faultOf: BreakerSubject } | { successOf: readonly BreakerSubject[] }

/** Contract: docs/contract.md#lock-after-failures. */
const faultsMax = 5
const firstLockSeconds = 30
const longestLockSeconds = 600

const recordOutcome = statement<{ subject: BreakerSubject; seconds: number }>(
  'judge_breakers',
  'select subject, seconds from judge_breakers($1, $2, $3::text[], $4, $5, $6)',
)

/**
 * Counts the end of a generation for or against its family and vendor, in the transaction that ends it: five failures in a row, of five
 * different requests or of three owners, lock for 30 s; a trial that fails locks for twice as long as before, up to ten minutes, or for as
 * long when its request is known to fail; a success opens. Locks: breakers.
 * Contract: docs/contract.md#lock-after-failures. See `migrations/functions/judge_breakers.sql`.
 */
export async function recordBreakerOutcome(inside: Context, generationId: string, outcome: BreakerOutcome): Promise<void> {
  const faultOf = 'faultOf' in outcome ? outcome.faultOf : null
  const successOf = 'successOf' in outcome ? outcome.successOf : []
  const limits = [faultsMax, firstLockSeconds, longestLockSeconds]
  for (const { subject, seconds } of await inside.sql.all(recordOutcome, [generationId, faultOf, successOf, ...limits])) {
    if (seconds > 0) inside.log.warn({ subject, seconds, generationId }, 'locked because of failures in a row')
    else inside.log.info({ subject, generationId }, 'open again')
  }
}

/**
 * What a failure says, undefined where it says nothing of either: it is the caller's, or our own. Faults of the account are the vendor's
 * in all of its families, others the family's. `unclassified` is what nobody has understood, and blames nobody.
 */
export function breakerOutcomeOfFailure(
  { code, reason }: Failure,
  { familyId, providerId }: { familyId: string; providerId: string },
): BreakerOutcome | undefined {
  if (code === 'authentication') return { faultOf: `vendor:${providerId}` }
  const isOfFamily = code === 'model_unavailable' || code === 'timeout' || code === 'provider_error' || reason === 'submit_unknown'
  return isOfFamily ? { faultOf: `family:${familyId}` } : undefined
}
