import { type Context, transaction } from '../../context.ts'
import { statement } from '../../sql.ts'
import type { Claim } from './claimGeneration.ts'
import { queueStep } from './queueStep.ts'

/** A submit without a recorded answer: the process that submitted, and its fence at that time. */
export type OpenSubmit = { processId: string; askedFence: number }

const requeueIfOpen = statement<{ generationId: string }>(
  'wait_for_open_submit',
  `update generation_attempts a set jobs_begun = 0 from generations g
     where g.id = $1 and g.fence = $2 and g.finished_at is null and a.generation_id = g.id and a.number = g.attempt
       and submit_is_open(a.intent_at, a.handle, a.asked_by, a.answer_until) and (a.asked_by <> $3 or $4)
     returning a.generation_id`,
)

/**
 * Requeues the step while another job may still record the provider's answer: its process is alive, or was declared dead only recently.
 * `isOwnSubmit`: this process has the open submit. False when no process can have the answer. Locks: attempt.
 */
export async function waitForOpenSubmit(
  context: Context,
  { generation }: Claim,
  { processId, isOwnSubmit, delaySeconds }: { processId: string; isOwnSubmit: boolean; delaySeconds: number },
): Promise<boolean> {
  return transaction(context, async (inside) => {
    const isOpen = await inside.sql.one(requeueIfOpen, [generation.id, generation.fence, processId, isOwnSubmit])
    if (isOpen) await queueStep(inside, 'submitGeneration', generation, { delaySeconds })
    return isOpen !== undefined
  })
}

const closeOrRaiseFence = statement<{ fence: number }>(
  'close_open_submit',
  `with asked as (
     select g.fence <> $5 and g.finished_at is null and g.state in ('queued', 'running') and a.handle is null and a.intent_at is not null as unwritten
       from generations g join generation_attempts a on a.generation_id = g.id and a.number = g.attempt
       where g.id = $1 and a.number = $2 and a.asked_by = $3 and a.asked_fence = $4
   ), closed as (
     update generation_attempts set asked_by = null, asked_fence = null, answer_until = null
       where generation_id = $1 and number = $2 and asked_by = $3 and asked_fence = $4 and not coalesce((select unwritten from asked), false)
   )
   update generations set fence = fence + 1 where id = $1 and finished_at is null and (select unwritten from asked) returning fence`,
)

/**
 * Closes a submit after its answer was recorded. If a waiting job had raised the fence, the write was refused; then returns a new fence
 * for a repeat of the write. Locks: attempt or generation.
 */
export async function closeOpenSubmit(context: Context, { generation }: Claim, open: OpenSubmit): Promise<number | undefined> {
  const { id, attempt, fence } = generation
  return (await context.sql.one(closeOrRaiseFence, [id, attempt, open.processId, open.askedFence, fence]))?.fence
}
