import { removeOrphans as remove } from '../domain/generations/removeOrphans.ts'
import type { JobContext } from './jobContext.ts'

/** Some time after an end: removes what jobs that were taken over, or failed to write down the end, have stored in vain. */
export async function removeOrphans(context: JobContext, { generationId }: { generationId: string }): Promise<void> {
  const places = await remove(context, generationId)
  if (places > 0) context.log.info({ generationId, places }, 'stored objects without an owner were removed')
}
