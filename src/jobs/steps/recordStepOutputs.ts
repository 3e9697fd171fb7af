import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import { storageKeyOf } from '../../domain/generations/results/removeOrphans.ts'
import { stagedKeyOf } from '../../domain/generations/results/stageOutput.ts'
import { isClaimed } from '../../domain/generations/steps/claimGeneration.ts'
import { type Recorded, recordOutputs } from '../../domain/generations/steps/recordOutputs.ts'
import type { Cost, Output } from '../../providers/provider.ts'
import { removeStagedFile, type Step } from './step.ts'

export type StepOutputs = { outputs: Output[]; cost?: Cost }

/** Records the outputs of the provider. Safe to repeat. */
export function recordStepOutputs({ context, claim }: Step, outputs: StepOutputs): Promise<Recorded> {
  return recordOutputs(context, claim, outputs)
}

/** Removes bytes that arrived with an answer if the generation has ended. A job that took over the attempt stores under the same key. */
export async function removeStagedOutput({ context, claim: { generation } }: Step, { outputs }: StepOutputs): Promise<void> {
  if (!outputs.some(({ kept }) => kept)) return
  const found = await findGeneration(context, generation.id)
  const key = stagedKeyOf(generation)
  if (!found || (found.finishedAt && storageKeyOf(found) !== key)) await context.storage.remove(key)
}

/**
 * Removes bytes that arrived with an answer that refuses the work for now. Call it before the refusal is recorded: otherwise a job that finds
 * a later submit without an answer would take them for that answer. Does nothing when another job has claimed the generation, which stores
 * under the same key, or when it has ended, which removes its bytes.
 */
export async function removeRefusedOutput(step: Step): Promise<void> {
  const { context, claim } = step
  if (!step.hasStagedOutput) return
  try {
    if (!(await isClaimed(context, claim))) return
    await removeStagedFile(step)
    await context.storage.remove(stagedKeyOf(claim.generation))
    step.hasStagedOutput = false
  } catch (error) {
    context.log.warn({ generationId: claim.generation.id, error }, 'the bytes of a refused submit could not be removed')
  }
}
