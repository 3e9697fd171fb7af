import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { CancelledGeneration } from '../../contract/startedGeneration.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { endGeneration } from './endGeneration.ts'
import { readGeneration } from './readGeneration.ts'

/**
 * Cancels: for nothing while the work has not begun, for the price held from then on; an ended one is told as it stands.
 * Refusals: generation_not_found, not_cancellable for the editor's, cancel_conflict while the result is being stored.
 * Locks: generation, account, key. Spec: States and transitions; POST /generations/{id}/cancel.
 */
export async function cancelGeneration(context: Context, spender: Spender, id: string): Promise<CancelledGeneration> {
  const found = await readGeneration(context, spender.ownerId, id)
  if (found.source === 'editor') throw new Refusal('not_cancellable', { source: found.source })
  if (found.finishedAt) return toldAsItStands(found)
  const ended = await endGeneration(context, id, { by: 'caller', to: 'cancelled', leaves: ['work', 'objects'] })
  if (ended) return { ...toldAsItStands(ended), cancelled: true, creditsReturned: creditsOf(hundredths(ended.price - charged(ended))) }
  const now = await readGeneration(context, spender.ownerId, id)
  if (now.finishedAt) return toldAsItStands(now)
  throw new Refusal('cancel_conflict', { state: now.state }, now.state === 'finalizing' ? { message: beingStored } : {})
}

const beingStored = 'The work is done and its result is being stored: it cannot be cancelled any more.'

function toldAsItStands(row: Generation): CancelledGeneration {
  return {
    generationId: row.id,
    state: row.state,
    cancelled: false,
    creditsCharged: creditsOf(charged(row)),
    creditsReturned: 0,
  }
}

function charged(row: Generation): Hundredths {
  return (row.creditsCharged ?? 0) as Hundredths
}
