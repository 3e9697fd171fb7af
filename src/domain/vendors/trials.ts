import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import type { BreakerSubject } from './breakers.ts'

/** A trial that did not end in this time no longer keeps others out. Contract: docs/contract.md#lock-after-failures. */
export const trialSeconds = 30

const claim = statement<{ claimed: boolean }>('claim_trial_for_owner', 'select claim_trial_for_owner($1::text[], $2, $3, $4) as claimed')
const end = statement<never>('end_trial', 'select end_trial($1)')

/**
 * Claims the trial of each locked subject for a generation. Returns false while a subject is locked or has a running trial. For ten more
 * seconds it also returns false for the owner of the last failed trial, so that others come first. Locks: breakers.
 * See `migrations/functions/claim_trial_for_owner.sql`.
 */
export async function claimTrial(
  context: Context,
  subjects: readonly BreakerSubject[],
  { generationId, ownerId }: { generationId: string; ownerId: string },
): Promise<boolean> {
  return (await context.sql.one(claim, [subjects, generationId, trialSeconds, ownerId]))?.claimed ?? false
}

/** Ends a trial without a result, so that another generation can claim it. */
export async function endTrial(context: Context, generationId: string): Promise<void> {
  await context.sql.one(end, [generationId])
}
