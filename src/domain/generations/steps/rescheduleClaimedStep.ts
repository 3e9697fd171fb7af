import { type Context, transaction } from '../../context.ts'
import { statement } from '../../sql.ts'
import type { StepTask } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'
import { markRunning, recordProgress, type WorkProgress } from './markRunning.ts'
import { queueStep } from './queueStep.ts'

const resetAttempt = statement<{ generationId: string }>(
  'reset_attempt',
  `update generation_attempts a set jobs_begun = 0, tries = case when $3 then a.tries + 1 else 0 end from generations g
     where g.id = $1 and g.fence = $2 and g.finished_at is null and a.generation_id = g.id and a.number = g.attempt
     returning a.generation_id`,
)

export type RescheduleOptions = {
  task: StepTask
  delaySeconds: number
  /** The run is a retry. Retries are counted until a run succeeds. */
  isRetry: boolean
  /** The provider's report, after a poll. `isBegun`: the work no longer waits there. */
  seen?: WorkProgress & { isBegun: boolean }
  brokenSince?: string | undefined
}

/** Queues another run of `task`. False when another job claimed the generation, or when it has ended. Locks: generation, attempt. */
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
    const isOurs = (await inside.sql.one(resetAttempt, [id, fence, isRetry])) !== undefined
    if (isOurs) await queueStep(inside, task, generation, { delaySeconds, ...(brokenSince === undefined ? {} : { brokenSince }) })
    return isOurs
  })
}

function hasChanged({ generation }: Claim, { queuePosition, progress }: WorkProgress): boolean {
  return generation.queuePosition !== (queuePosition ?? null) || generation.progress !== (progress ?? null)
}
