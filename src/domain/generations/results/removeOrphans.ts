import type { Generation } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import { recordStuckRemovals, removeObjects } from '../../files/stuckRemovals.ts'
import { findGeneration } from '../reading/readGeneration.ts'
import { readAttempt } from '../steps/readAttempt.ts'
import { stagedKeyOf } from './stageOutput.ts'

/** The storage key of a result. Each claim has its own key, so that a late write cannot replace a later one. */
export function resultKeyOf({ id, fence }: { id: string; fence: number }): string {
  return `results/${id}/${fence}`
}

/**
 * Removes unused results and staged outputs of an ended generation. A job stores a result under its own fence, which is that of the recorded
 * outputs or a later one. So the keys are known without a listing. Returns the number of keys of results. Retries later what the storage
 * cannot remove now.
 */
export async function removeOrphans(context: Context, id: string): Promise<number> {
  const found = await findGeneration(context, id)
  if (!found?.finishedAt) return 0
  const firstFence = (await readAttempt(context, found))?.gatheredFence ?? found.fence + 1
  const staged = numbers(1, found.attempt).map((attempt) => stagedKeyOf({ id, attempt }))
  const results = numbers(firstFence, found.fence).map((fence) => resultKeyOf({ id, fence }))
  const keys = [...staged, ...results].filter((key) => key !== storageKeyOf(found))
  const { failed } = await removeObjects(context, keys)
  if (failed.length > 0) {
    const stuck = failed.map(({ item }) => item)
    context.log.warn({ generationId: id, stuck, error: failed[0]?.error }, 'stored objects without an owner could not be removed yet')
    await recordStuckRemovals(context, stuck)
  }
  return results.filter((key) => keys.includes(key)).length
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/**
 * Removes the stored result of a job when another transition came first. Keeps it when it may be the result after all: a database that has
 * lost its last commits gives the same fence, and so the same key, to a second job.
 */
export async function removeOrphanedResult(context: Context, { id, fence }: { id: string; fence: number }): Promise<void> {
  const found = await findGeneration(context, id)
  const key = resultKeyOf({ id, fence })
  const isOver = !found || found.fence > fence || found.finishedAt !== null
  if (isOver && !(found && storageKeyOf(found) === key)) await context.storage.remove(key)
}

/** The object of the result; `undefined` while there is none, or when the result is a text. */
export function storageKeyOf({ result }: Generation): string | undefined {
  return result && 'storageKey' in result ? result.storageKey : undefined
}
