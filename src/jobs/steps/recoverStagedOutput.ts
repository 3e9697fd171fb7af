import { stagedKeyOf } from '../../domain/generations/results/stageOutput.ts'
import type { Output } from '../../providers/provider.ts'
import { recordStepOutputs } from './recordStepOutputs.ts'
import { rescheduleStep } from './rescheduleStep.ts'
import { continueWith, isPastDeadline, type Step, secondsLeft } from './step.ts'

/** The pause before the storage is asked again. */
const storagePauseSeconds = 5

/**
 * Records the bytes of a vendor's answer that an earlier job of this attempt has stored, and continues with their inspection. That job ended
 * before it could record them. Only the vendor's cost and declared type are lost. Returns true when the step is done: the bytes were
 * recorded, or the step was queued again because the storage is unavailable. Returns false without bytes, and at the deadline if the
 * storage is still unavailable.
 */
export async function recoverStagedOutput(step: Step): Promise<boolean> {
  const found = await findStagedOutput(step)
  if (found === undefined) {
    await rescheduleStep(step, Math.min(storagePauseSeconds, secondsLeft(step)))
    return true
  }
  if (!found) return false
  const { context, claim, provider } = step
  context.log.warn({ generationId: claim.generation.id, provider: provider.id }, 'recovered the answer to a submit from the storage')
  continueWith(step, await recordStepOutputs(step, { outputs: [stagedOutput()] }), 'finaliseGeneration')
  return true
}

/** An output whose bytes are in the storage. */
export function stagedOutput(mimeType?: string): Output {
  return { data: null, ...(mimeType === undefined ? {} : { mimeType }), kept: true }
}

/** Whether the storage has the bytes; `undefined` if it must be asked again later. */
async function findStagedOutput(step: Step): Promise<boolean | undefined> {
  const { context, claim } = step
  try {
    return (await context.storage.size(stagedKeyOf(claim.generation))) !== undefined
  } catch (error) {
    const isLast = isPastDeadline(step)
    context.log.warn({ generationId: claim.generation.id, isLast, error }, 'the storage could not be asked for the answer to a submit')
    return isLast ? false : undefined
  }
}
