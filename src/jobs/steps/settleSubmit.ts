import { closeOpenSubmit } from '../../domain/generations/steps/openSubmit.ts'
import { retryWrite } from './retryWrite.ts'
import type { Step } from './step.ts'

/**
 * Writes the answer to a submit until it is committed: the work may be billed, and the answer comes once. A job that waits for this answer
 * may have raised the fence, so that the write was refused. Then takes a new fence and writes again.
 */
export async function settleSubmit<Result>(step: Step, write: () => Promise<Result>): Promise<Result> {
  const { context, provider } = step
  const { id, fence } = step.claim.generation
  if (provider.capabilities.idempotentSubmit) return retryWrite(context, id, write)
  const open = { processId: context.openSubmits.processId, askedFence: fence }
  const close = () => closeOpenSubmit(context, step.claim, open)
  for (;;) {
    const result = await retryWrite(context, id, write).catch(async (error: unknown) => {
      await close().catch(() => undefined)
      throw error
    })
    const regained = await retryWrite(context, id, close)
    if (regained === undefined) return result
    step.claim = { ...step.claim, generation: { ...step.claim.generation, fence: regained } }
  }
}
