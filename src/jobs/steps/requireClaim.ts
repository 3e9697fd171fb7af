import type { Context } from '../../domain/context.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import type { Claim } from '../../domain/generations/steps/claimGeneration.ts'

/**
 * Throws when the database no longer has the claim: a standby that lacks the last commits has become the primary. It lacks the writes of
 * the step as well, and its queue has the job again, which must not be completed.
 */
export async function requireClaim(context: Context, { generation: { id, fence } }: Pick<Claim, 'generation'>): Promise<void> {
  const found = await findGeneration(context, id)
  if (found && !found.finishedAt && found.fence < fence) throw new Error('the database has lost the claim of this step')
}
