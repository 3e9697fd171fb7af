import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import type { BreakerSubject } from './breakers.ts'

/** A trial that has come to no end by then keeps nobody out any more. Contract: docs/contract.md#lock-after-failures. */
export const trialSeconds = 30

const claim = statement<{ claimed: boolean }>('claim_trial_of', 'select claim_trial_of($1::text[], $2, $3, $4) as claimed')
const end = statement<never>('end_trial', 'select end_trial($1)')

/**
 * Lets a generation in where the subjects are locked, as the one trial of each whose time has come. False while one is locked, or has a
 * trial under way. For ten seconds more it is false for the owner of the last trial, when that failed: others come before. Locks: breakers.
 * See `migrations/functions/claim_trial_of.sql`.
 */
export async function claimTrial(
  context: Context,
  subjects: readonly BreakerSubject[],
  { generationId, ownerId }: { generationId: string; ownerId: string },
): Promise<boolean> {
  return (await context.sql.one(claim, [subjects, generationId, trialSeconds, ownerId]))?.claimed ?? false
}

/** Lets another come in the place of a trial that came to nothing. */
export async function endTrial(context: Context, generationId: string): Promise<void> {
  await context.sql.one(end, [generationId])
}
