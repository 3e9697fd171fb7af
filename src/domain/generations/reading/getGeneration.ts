import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { awaitGeneration, type Wait } from './awaitGeneration.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readForResponse } from './readGeneration.ts'

/**
 * The generation in its public shape, at once or after a wait for its end.
 * Refusals: generation_not_found, and those of awaitGeneration. Contract: docs/contract.md#get-a-generation.
 */
export async function getGeneration(
  context: Context,
  spender: Pick<Spender, 'ownerId' | 'keyId'>,
  id: string,
  wait?: Wait,
): Promise<PublicGeneration> {
  if (wait) return await awaitGeneration(context, spender, id, wait)
  return presentGeneration(context, await readForResponse(context, spender.ownerId, id), linkHolderOf(context.actor))
}
