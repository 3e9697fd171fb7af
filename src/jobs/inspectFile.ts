import { inspectionKey, inspectStoredFile } from '../domain/files/inspectStoredFile.ts'
import { enqueue } from '../domain/queue.ts'
import { type JobServices, jobContext } from './jobContext.ts'

/** Before the next try when a file could not be looked at, for want of a free process or of the storage. */
const pauseSeconds = 5

/** processing → ready or failed: looks at a file that was too heavy for its upload to wait for. */
export async function inspectFile(jobs: JobServices, { fileId }: { fileId: string }): Promise<void> {
  const context = jobContext(jobs)
  try {
    await inspectStoredFile(context, fileId, jobs.shutdown)
  } catch (error) {
    if (!jobs.shutdown.aborted) context.log.warn({ fileId, error }, 'a file could not be looked at')
    await enqueue(
      context,
      'inspectFile',
      { fileId },
      { key: inspectionKey(fileId), delaySeconds: jobs.shutdown.aborted ? 0 : pauseSeconds },
    )
  }
}
