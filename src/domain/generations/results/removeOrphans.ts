import type { Generation } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import { recordStuckRemovals, removeObjects } from '../../files/stuckRemovals.ts'
import { findGeneration } from '../reading/readGeneration.ts'
import { readAttempt } from '../steps/readAttempt.ts'
import { stagedKeyOf } from './stageOutput.ts'

/** Where a job keeps the result: a place of its own for every takeover, so that a late write never meets a later one. */
export function resultKeyOf({ id, fence }: { id: string; fence: number }): string {
  return `results/${id}/${fence}`
}

/**
 * Removes what jobs of an ended generation have stored in vain, and what vendors sent along. Every job that keeps a result raised the
 * fence by one, from the one under which the outputs were written down: so their places are known, and nothing has to be listed. Returns
 * how many it looked at. An object that the storage does not remove now is tried again later.
 */
export async function removeOrphans(context: Context, id: string): Promise<number> {
  const found = await findGeneration(context, id)
  if (!found?.finishedAt) return 0
  const keys: string[] = []
  for (let attempt = 1; attempt <= found.attempt; attempt++) keys.push(stagedKeyOf({ id, attempt }))
  const gatheredFence = (await readAttempt(context, found))?.gatheredFence ?? found.fence
  for (let fence = gatheredFence + 1; fence <= found.fence; fence++) {
    const key = resultKeyOf({ id, fence })
    if (key !== storageKeyOf(found)) keys.push(key)
  }
  const { failed } = await removeObjects(context, keys)
  if (failed.length > 0) {
    const stuck = failed.map(({ item }) => item)
    context.log.warn({ generationId: id, stuck, error: failed[0]?.error }, 'stored objects without an owner could not be removed yet')
    await recordStuckRemovals(context, stuck)
  }
  return found.fence - gatheredFence
}

/**
 * Removes what a job has stored and could not keep, since another move was first. It stays where it may be the result after all: a database
 * that has forgotten its last moment gives the same fence, and with it the same place, to a second job.
 */
export async function removeOrphanedResult(context: Context, { id, fence }: { id: string; fence: number }): Promise<void> {
  const found = await findGeneration(context, id)
  const key = resultKeyOf({ id, fence })
  const isOver = !found || found.fence > fence || found.finishedAt !== null
  if (isOver && !(found && storageKeyOf(found) === key)) await context.storage.remove(key)
}

function storageKeyOf({ result }: Generation): string | undefined {
  return result && 'storageKey' in result ? result.storageKey : undefined
}
