import { type Context, transaction } from '../context.ts'
import { statement } from '../sql.ts'
import { beginWork, keepPlace, type Place } from './beginWork.ts'
import type { Claim } from './claimGeneration.ts'
import { queueStep } from './queueStep.ts'
import type { StepTask } from './transitions.ts'

const keepLooking = statement<{ generationId: string }>(
  'keep_looking',
  `update generation_attempts a set jobs_begun = 0, tries = case when $3 then a.tries + 1 else 0 end from generations g
     where g.id = $1 and g.fence = $2 and g.finished_at is null and a.generation_id = g.id and a.number = g.attempt
     returning a.generation_id`,
)

export type Later = {
  task: StepTask
  delaySeconds: number
  /** Another try of what went wrong; tries add up until one goes well. */
  isTry: boolean
  /** What the provider said of the work, when it was asked; `isBegun` when it is no longer waiting there. */
  seen?: Place & { isBegun: boolean }
  brokenSince?: string | undefined
}

/** Queues another run of `task` for the same step. False when the work was taken over or ended. Locks: generation, attempt. */
export async function comeBackLater(
  context: Context,
  claim: Claim,
  { task, delaySeconds, isTry, seen, brokenSince }: Later,
): Promise<boolean> {
  const { generation } = claim
  const { id, fence } = generation
  return transaction(context, async (inside) => {
    if (seen?.isBegun && generation.state === 'queued') await beginWork(inside, claim)
    if (seen && isNews(claim, seen)) await keepPlace(inside, claim, seen)
    const kept = await inside.sql.one(keepLooking, [id, fence, isTry])
    if (kept) await queueStep(inside, task, generation, { delaySeconds, ...(brokenSince === undefined ? {} : { brokenSince }) })
    return kept !== undefined
  })
}

function isNews({ generation }: Claim, { queuePosition, progress }: Place): boolean {
  return generation.queuePosition !== (queuePosition ?? null) || generation.progress !== (progress ?? null)
}
