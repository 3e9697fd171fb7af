import { awaitChange } from '../../../concurrency/awaitChange.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import { revalidateKey } from '../../access/keys/revalidateKey.ts'
import type { Spender } from '../../access/spender.ts'
import { mayStillAccessOwner } from '../../access/teams/rolesOf.ts'
import type { Context } from '../../context.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readGeneration } from './readGeneration.ts'

/** `waitSeconds`: 0 to 60. `signal` ends the wait early. */
export type Wait = { waitSeconds: number; signal: AbortSignal }

/**
 * The generation in its public shape, when it has ended or the wait is over. Refuses if the presented key is no longer valid, or if the
 * person has left the team meanwhile.
 * Refusals: generation_not_found, and those of revalidateKey. Contract: docs/contract.md#get-a-generation.
 */
export async function awaitGeneration(
  context: Context,
  spender: Pick<Spender, 'ownerId' | 'keyId'>,
  id: string,
  wait: Wait,
): Promise<PublicGeneration> {
  const read = () => readGeneration(context, spender.ownerId, id)
  const subscribe = (notice: () => void) => context.notices.subscribe('generation', id, notice)
  const row = await awaitChange({ ...wait, subscribe, read, done: (value) => value.finishedAt !== null })
  if (spender.keyId !== null) await revalidateKey(context, spender.keyId)
  if (!(await mayStillAccessOwner(context, spender.ownerId))) throw new Refusal('generation_not_found')
  return presentGeneration(context, row, linkHolderOf(context.actor))
}
