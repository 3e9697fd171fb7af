import { removalPauseSeconds, removalsWait } from '../../domain/backups/removalsWait.ts'
import { removeOrphans as remove } from '../../domain/generations/results/removeOrphans.ts'
import { enqueue } from '../../domain/queue.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Removes objects of jobs that lost their claim or did not record their result, an hour after the end. Waits while a backup runs. */
export async function removeOrphans(context: JobContext, { generationId }: { generationId: string }): Promise<void> {
  if (await removalsWait(context)) {
    await enqueue(context, 'removeOrphans', { generationId }, { key: `orphans:${generationId}`, delaySeconds: removalPauseSeconds })
    return
  }
  const places = await remove(context, generationId)
  if (places > 0) context.log.info({ generationId, places }, 'stored objects without an owner were removed')
}
