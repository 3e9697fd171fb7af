import { removalPauseSeconds, removalsWait } from '../../domain/backups/removalsWait.ts'
import { removeOrphans as remove } from '../../domain/generations/results/removeOrphans.ts'
import { enqueue } from '../../domain/queue.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Some time after an end: removes what jobs that were taken over, or failed to write down the end, have stored in vain. It waits for a backup. */
export async function removeOrphans(context: JobContext, { generationId }: { generationId: string }): Promise<void> {
  if (await removalsWait(context)) {
    await enqueue(context, 'removeOrphans', { generationId }, { key: `orphans:${generationId}`, delaySeconds: removalPauseSeconds })
    return
  }
  const places = await remove(context, generationId)
  if (places > 0) context.log.info({ generationId, places }, 'stored objects without an owner were removed')
}
