import { removalPauseSeconds, removalsWait } from '../../domain/backups/removalsWait.ts'
import { recordStuckRemovals } from '../../domain/files/stuckRemovals.ts'
import { enqueue, type Tasks } from '../../domain/queue.ts'
import type { JobContext } from '../runners/jobContext.ts'

const firstPauseSeconds = 5
/** An object that fails so often leaves the queue: each waiting job slows every start down, and 10,000 of them stop retention. */
const attemptsMax = 5

/**
 * Removes the object of what was deleted. A storage that cannot do it now is asked again, after pauses that double from five seconds, and
 * later by maintenance, see {@link recordStuckRemovals}, for as long as it takes: nothing else names the object any more. One that is gone
 * already is no error. While a backup is under way it waits.
 */
export async function removeObject(context: JobContext, { storageKey, tries = 0 }: Tasks['removeObject']): Promise<void> {
  if (await removalsWait(context)) {
    await enqueue(context, 'removeObject', { storageKey, tries }, { delaySeconds: removalPauseSeconds })
    return
  }
  try {
    await context.storage.remove(storageKey)
  } catch (error) {
    context.log.warn({ storageKey, tries, error }, 'what was deleted could not be removed from the storage yet')
    if (tries + 1 >= attemptsMax) return await recordStuckRemovals(context, [storageKey])
    const delaySeconds = firstPauseSeconds * 2 ** tries
    await enqueue(context, 'removeObject', { storageKey, tries: tries + 1 }, { delaySeconds })
  }
}
