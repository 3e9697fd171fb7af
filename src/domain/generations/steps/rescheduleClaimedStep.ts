import { type Context, transaction } from '../../context.ts'
import { statement } from '../../sql.ts'
import type { StepTask } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'
import { markRunning, recordProgress, type WorkProgress } from './markRunning.ts'
import { queueStep } from './queueStep.ts'

const resetAttempt = statement<{ generationId: string }>(
  'keep_looking',
  `update generation_attempts a set jobs_begun = 0, tries = case when $3 then a.tries + 1 else 0 end from generations g
     where g.id = $1 and g.fence = $2 and g.finished_at is null and a.generation_id = g.id and a.number = g.attempt
     returning a.generation_id`,
)

export type RescheduleOptions = {
  task: StepTask
  delaySeconds: number
  /** Another try of what went wrong; tries add up until one goes well. */
  isRetry: boolean
  /** What the provider said of the work, when it was asked; `isBegun` when it is no longer waiting there. */
  seen?: WorkProgress & { isBegun: boolean }
  brokenSince?: string | undefined
}

/** Queues another run of `task` for the same step. False when the work was taken over or ended. Locks: generation, attempt. */
export async function rescheduleClaimedStep(
  context: Context,
  claim: Claim,
  { task, delaySeconds, isRetry, seen, brokenSince }: RescheduleOptions,
): Promise<boolean> {
  const { generation } = claim
  const { id, fence } = generation
  return transaction(context, async (inside) => {
    if (seen?.isBegun && generation.state === 'queued') await markRunning(inside, claim)
    if (seen && hasChanged(claim, seen)) await recordProgress(inside, claim, seen)
    const kept = await inside.sql.one(resetAttempt, [id, fence, isRetry])
    if (kept) await queueStep(inside, task, generation, { delaySeconds, ...(brokenSince === undefined ? {} : { brokenSince }) })
    return kept !== undefined
  })
}

function hasChanged({ generation }: Claim, { queuePosition, progress }: WorkProgress): boolean {
  return generation.queuePosition !== (queuePosition ?? null) || generation.progress !== (progress ?? null)
}
