import { creditsOf, hundredths } from '../../../contract/hundredths.ts'
import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { CancelledGeneration } from '../../../contract/shapes/startedGeneration.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import { roleMay } from '../../access/permissions.ts'
import type { Spender } from '../../access/spender.ts'
import { rolesOf } from '../../access/teams/rolesOf.ts'
import type { Context } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { readGeneration } from '../reading/readGeneration.ts'
import { endSerialized } from './endSerialized.ts'

/**
 * Cancels a generation: free before the work has begun, for the price held after that. Returns an ended generation unchanged.
 * Writes an audit entry when a person, an agent or a tool cancels; keys of REST cancel as part of their daily work.
 * Refusals: generation_not_found; not_cancellable for recorded generations of the editor, and for keys also for those that people
 * started; access_denied for an agent whose person may not cancel it; cancel_conflict while the result is being stored.
 * Locks: generation, account, key. Contract: docs/contract.md#cancel-a-generation, docs/contract.md#cancel-by-an-agent.
 */
export async function cancelGeneration(context: Context, spender: Spender, id: string): Promise<CancelledGeneration> {
  const found = await readGeneration(context, spender.ownerId, id)
  if (found.source === 'editor' && (found.accountId === null || context.actor.kind === 'key'))
    throw new Refusal('not_cancellable', { source: found.source })
  if (found.finishedAt) return cancelResultOf(found)
  await requireMayCancel(context, found)
  const ended = await endSerialized(context, found, { by: 'caller', to: 'cancelled', cleanup: ['work', 'objects'] }, recordCancel)
  if (ended) return { ...cancelResultOf(ended), cancelled: true, creditsReturned: creditsOf(hundredths(ended.price - charged(ended))) }
  const now = await readGeneration(context, spender.ownerId, id)
  if (now.finishedAt) return cancelResultOf(now)
  throw new Refusal('cancel_conflict', { state: now.state }, now.state === 'finalizing' ? { message: conflictMessage } : {})
}

/** An agent acts for one person. It may cancel that person's work, and other work of the team only if the person manages the team. */
async function requireMayCancel(context: Context, { userId, ownerId }: Generation): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'key' || actor.door !== 'mcp' || userId === actor.userId) return
  if (roleMay((await rolesOf(context, actor.userId)).get(ownerId), 'generations.end')) return
  throw new Refusal('access_denied', { cause: 'role' }, { message: notPermittedMessage })
}

const notPermittedMessage = 'Another member of the team started this generation. An owner or administrator of the team can cancel it.'

/** Runs in the transaction that ends the generation. */
async function recordCancel(inside: Context, { id, ownerId, creditsCharged }: Generation): Promise<void> {
  const { actor } = inside
  if (actor.kind === 'system' || (actor.kind === 'key' && actor.door === 'rest')) return
  const teamId = isId('team', ownerId) ? ownerId : null
  const after = { creditsCharged: creditsOf((creditsCharged ?? 0) as Hundredths) }
  await recordAudit(inside, { action: 'generation.cancelled', teamId, subjectId: id, after })
}

const conflictMessage = 'The work is done and its result is being stored: it cannot be cancelled any more.'

function cancelResultOf(row: Generation): CancelledGeneration {
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
