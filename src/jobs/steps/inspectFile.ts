import { inspectionKey, inspectStoredFile } from '../../domain/files/inspectStoredFile.ts'
import { enqueue } from '../../domain/queue.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { slotRetrySeconds } from './requeueStep.ts'

/** Before the next try when a file could not be looked at, for want of a free process or of the storage. */
const pauseSeconds = 5

/** processing → ready or failed: looks at a file that was too heavy for its upload to wait for. */
export async function inspectFile(context: JobContext, { fileId }: { fileId: string }): Promise<void> {
  const { shutdown } = context
  const release = context.slots.take({ group: 'files', member: 'inspection' })
  if (!release) return again(context, fileId, slotRetrySeconds())
  try {
    await inspectStoredFile(context, fileId, shutdown)
  } catch (error) {
    if (!shutdown.aborted) context.log.warn({ fileId, error }, 'a file could not be looked at')
    await again(context, fileId, shutdown.aborted ? 0 : pauseSeconds)
  } finally {
    release()
  }
}

async function again(context: JobContext, fileId: string, delaySeconds: number): Promise<void> {
  await enqueue(context, 'inspectFile', { fileId }, { key: inspectionKey(fileId), delaySeconds })
}
