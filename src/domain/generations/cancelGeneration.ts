import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { CancelledGeneration } from '../../contract/startedGeneration.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { rolesOf } from '../access/rolesOf.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { noteAct } from '../noteAct.ts'
import { endInTurn } from './endInTurn.ts'
import { readGeneration } from './readGeneration.ts'

/**
 * Cancels: for nothing while the work has not begun, for the price held from then on; an ended one is told as it stands.
 * Writes an audit entry when a person, an agent or a tool cancels; keys of REST cancel as part of their daily work.
 * Refusals: generation_not_found, not_cancellable for the editor's, access_denied for an agent whose person may not cancel it,
 * cancel_conflict while the result is being stored.
 * Locks: generation, account, key. Contract: docs/contract.md#cancel-a-generation, docs/contract.md#cancel-by-an-agent.
 */
export async function cancelGeneration(context: Context, spender: Spender, id: string): Promise<CancelledGeneration> {
  const found = await readGeneration(context, spender.ownerId, id)
  if (found.source === 'editor') throw new Refusal('not_cancellable', { source: found.source })
  if (found.finishedAt) return toldAsItStands(found)
  await requireMayCancel(context, found)
  const ended = await endInTurn(context, found, { by: 'caller', to: 'cancelled', leaves: ['work', 'objects'] }, recordCancel)
  if (ended) return { ...toldAsItStands(ended), cancelled: true, creditsReturned: creditsOf(hundredths(ended.price - charged(ended))) }
  const now = await readGeneration(context, spender.ownerId, id)
  if (now.finishedAt) return toldAsItStands(now)
  throw new Refusal('cancel_conflict', { state: now.state }, now.state === 'finalizing' ? { message: beingStored } : {})
}

/** An agent acts for one person: it cancels what that person started, and the team's other work only where they manage the team. */
async function requireMayCancel(context: Context, { userId, ownerId }: Generation): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'key' || actor.door !== 'mcp' || userId === actor.userId) return
  const role = (await rolesOf(context, actor.userId)).get(ownerId)
  if (role === 'owner' || role === 'admin') return
  throw new Refusal('access_denied', { cause: 'role' }, { message: othersWork })
}

const othersWork = 'Another member of the team started this generation. An owner or administrator of the team can cancel it.'

/** Runs in the transaction that ends the generation. */
async function recordCancel(inside: Context, { id, ownerId, creditsCharged }: Generation): Promise<void> {
  const { actor } = inside
  if (actor.kind === 'system' || (actor.kind === 'key' && actor.door === 'rest')) return
  const teamId = isId('team', ownerId) ? ownerId : null
  const after = { creditsCharged: creditsOf((creditsCharged ?? 0) as Hundredths) }
  await noteAct(inside, { action: 'generation.cancelled', teamId, subjectId: id, after })
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
