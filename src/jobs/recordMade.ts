import { madeKeyOf } from '../domain/generations/keepMade.ts'
import { recordOutputs } from '../domain/generations/recordOutputs.ts'
import type { Cost, Output } from '../providers/provider.ts'
import type { Step } from './step.ts'

/** Writes down what the provider has made; what came along with its answer goes again when nobody wants it any more. */
export async function recordMade({ context, claim }: Step, made: { outputs: Output[]; cost?: Cost }): Promise<void> {
  const isWanted = await recordOutputs(context, claim, made)
  if (!isWanted && made.outputs.some(({ kept }) => kept)) await context.storage.remove(madeKeyOf(claim.generation))
}
