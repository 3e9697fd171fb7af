import type { Context } from '../../domain/context.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import type { Claim } from '../../domain/generations/steps/claimGeneration.ts'

/**
 * Throws where the database stands before the claim under which a step has worked: a standby took over that lacks the last moment of the
 * primary. All that the step said was in vain, and its job is there again; whoever took it for done would take that one away.
 */
export async function requireClaim(context: Context, { generation: { id, fence } }: Pick<Claim, 'generation'>): Promise<void> {
  const found = await findGeneration(context, id)
  if (found && !found.finishedAt && found.fence < fence) throw new Error('the database has forgotten the claim of this step')
}
