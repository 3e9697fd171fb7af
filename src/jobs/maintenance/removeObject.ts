import { removalPauseSeconds, removalsWait } from '../../domain/backups/removalsWait.ts'
import { recordStuckRemovals } from '../../domain/files/stuckRemovals.ts'
import { removeOrphans as remove } from '../../domain/generations/results/removeOrphans.ts'
import { enqueue, type Tasks } from '../../domain/queue.ts'
import type { JobContext } from '../runners/jobContext.ts'

const firstPauseSeconds = 5
/** After this many failures the job ends: each waiting job slows every start down, and 10,000 of them stop retention. */
const attemptsMax = 5

/**
 * Removes a deleted object from the storage. Retries after pauses that double from five seconds; later maintenance retries without a
 * limit ({@link recordStuckRemovals}), since no other row names the object. A missing object is no error. Waits while a backup runs.
 */
export async function removeObject(context: JobContext, { storageKey, tries = 0 }: Tasks['removeObject']): Promise<void> {
  if (await removalsWait(context)) {
    await enqueue(context, 'removeObject', { storageKey, tries }, { delaySeconds: removalPauseSeconds })
    return
  }
  try {
    await context.storage.remove(storageKey)
  } catch (error) {
    context.log.warn({ storageKey, tries, error }, 'a deleted object could not be removed from the storage yet')
    if (tries + 1 >= attemptsMax) return await recordStuckRemovals(context, [storageKey])
    const delaySeconds = firstPauseSeconds * 2 ** tries
    await enqueue(context, 'removeObject', { storageKey, tries: tries + 1 }, { delaySeconds })
  }
}

/** Removes objects of jobs that lost their claim or did not record their result, an hour after the end. Waits while a backup runs. */
export async function removeOrphans(context: JobContext, { generationId }: { generationId: string }): Promise<void> {
  if (await removalsWait(context)) {
    await enqueue(context, 'removeOrphans', { generationId }, { key: `orphans:${generationId}`, delaySeconds: removalPauseSeconds })
    return
  }
  const places = await remove(context, generationId)
  if (places > 0) context.log.info({ generationId, places }, 'stored objects without an owner were removed')
}
