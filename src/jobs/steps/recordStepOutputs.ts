import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import { stagedKeyOf } from '../../domain/generations/results/stageOutput.ts'
import { recordOutputs } from '../../domain/generations/steps/recordOutputs.ts'
import type { Cost, Output } from '../../providers/provider.ts'
import type { Step } from './step.ts'

export type Made = { outputs: Output[]; cost?: Cost }

/** Writes what the provider has made. May be repeated. False when the work was taken over or ended. */
export function recordStepOutputs({ context, claim }: Step, made: Made): Promise<boolean> {
  return recordOutputs(context, claim, made)
}

/** Removes what came along with an answer when the work has ended. A job that has taken it over keeps its own at the same place. */
export async function removeStagedOutput({ context, claim: { generation } }: Step, { outputs }: Made): Promise<void> {
  if (!outputs.some(({ kept }) => kept)) return
  const found = await findGeneration(context, generation.id)
  if (!found || found.finishedAt) await context.storage.remove(stagedKeyOf(generation))
}
