import { inspectionKey, inspectStoredFile } from '../../domain/files/inspectStoredFile.ts'
import { enqueue } from '../../domain/queue.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { slotRetrySeconds } from './requeueStep.ts'

/** The pause before a retry, when no inspector process is free or the storage is unavailable. */
const pauseSeconds = 5

/** processing → ready or failed: inspects a file that was too large to be inspected during its upload. */
export async function inspectFile(context: JobContext, { fileId }: { fileId: string }): Promise<void> {
  const { shutdown } = context
  const release = context.slots.take({ group: 'files', member: 'inspection' })
  if (!release) return requeue(context, fileId, slotRetrySeconds())
  try {
    await inspectStoredFile(context, fileId, shutdown)
  } catch (error) {
    if (!shutdown.aborted) context.log.warn({ fileId, error }, 'a file could not be inspected')
    await requeue(context, fileId, shutdown.aborted ? 0 : pauseSeconds)
  } finally {
    release()
  }
}

async function requeue(context: JobContext, fileId: string, delaySeconds: number): Promise<void> {
  await enqueue(context, 'inspectFile', { fileId }, { key: inspectionKey(fileId), delaySeconds })
}
