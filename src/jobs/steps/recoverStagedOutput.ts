import { stagedKeyOf } from '../../domain/generations/results/stageOutput.ts'
import type { Output } from '../../providers/provider.ts'
import { recordStepOutputs } from './recordStepOutputs.ts'
import { rescheduleStep } from './rescheduleStep.ts'
import { continueWith, isPastDeadline, type Step, secondsLeft } from './step.ts'

/** The pause before the storage is asked again. */
const storagePauseSeconds = 5

/**
 * Records the bytes of a vendor's answer that an earlier job of this attempt has stored, and continues with their inspection. That job ended
 * before it could record them. Only the vendor's cost and declared type are lost. Returns whether the step is done: also while the storage
 * is unavailable, until the deadline.
 */
export async function recoverStagedOutput(step: Step): Promise<boolean> {
  const found = await hasStagedOutput(step)
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

/** `undefined`: ask again later. */
async function hasStagedOutput(step: Step): Promise<boolean | undefined> {
  const { context, claim } = step
  try {
    return (await context.storage.size(stagedKeyOf(claim.generation))) !== undefined
  } catch (error) {
    const isLast = isPastDeadline(step)
    context.log.warn({ generationId: claim.generation.id, isLast, error }, 'the storage could not be asked for the answer to a submit')
    return isLast ? false : undefined
  }
}
