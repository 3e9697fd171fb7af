import { removalPauseSeconds, removalsWait } from '../../domain/backups/removalsWait.ts'
import { recordStuckRemovals } from '../../domain/files/stuckRemovals.ts'
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
