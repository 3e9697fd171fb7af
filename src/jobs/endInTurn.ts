import { takeTurns } from '../concurrency/turns.ts'
import type { Context } from '../domain/context.ts'
import type { Claim } from '../domain/generations/claimGeneration.ts'
import { type Ending, endGeneration } from '../domain/generations/endGeneration.ts'
import type { Generation } from '../entities/Generation.ts'

const turns = takeTurns()

/**
 * Ends the generation of a step by {@link endGeneration}, those of one account one after another in this process. They wait for each other
 * at the account's row in any case: many at once, as after an outage, would do so on a connection each and past the time that a statement
 * has, and the work of all that came too late would be done again.
 */
export function endInTurn(
  { context, claim: { generation } }: { context: Context; claim: Pick<Claim, 'generation'> },
  ending: Wanted,
): Promise<Generation | undefined> {
  const { id, fence, accountId, ownerId } = generation
  return turns(accountId ?? ownerId, () => endGeneration(context, id, { by: 'job', fence, ...ending }))
}

/** Who says so, and under which fence, the step knows. */
type Wanted = DistributedOmit<Ending, 'by' | 'fence'>
type DistributedOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
