import { removalPauseSeconds, removalsWait } from '../domain/backups/removalsWait.ts'
import { enqueue, type Tasks } from '../domain/queue.ts'
import type { JobContext } from './jobContext.ts'

const firstPauseSeconds = 5
const pauseSecondsMax = 600

/**
 * Removes the object of what was deleted. A storage that cannot do it now is asked again, after pauses that double to ten minutes and for
 * as long as it takes, since nothing else names the object any more. One that is gone already is no error. While a backup is under way it waits.
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
    const delaySeconds = Math.min(pauseSecondsMax, firstPauseSeconds * 2 ** tries)
    await enqueue(context, 'removeObject', { storageKey, tries: tries + 1 }, { delaySeconds })
  }
}
