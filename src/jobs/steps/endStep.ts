import type { Context } from '../../domain/context.ts'
import type { Ending } from '../../domain/generations/ending/endGeneration.ts'
import { endSerialized } from '../../domain/generations/ending/endSerialized.ts'
import type { Claim } from '../../domain/generations/steps/claimGeneration.ts'
import type { Generation } from '../../entities/Generation.ts'

/** Ends the generation of a step under its fence, by {@link endSerialized}. `undefined` when another transition came first. */
export function endStep(
  { context, claim: { generation } }: { context: Context; claim: Pick<Claim, 'generation'> },
  ending: StepEnding,
): Promise<Generation | undefined> {
  return endSerialized(context, generation, { by: 'job', fence: generation.fence, ...ending })
}

/** Without the parts that come from the step. */
type StepEnding = DistributedOmit<Ending, 'by' | 'fence'>
type DistributedOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
