import { reconcile as mend } from '../domain/generations/reconcile.ts'
import { type JobServices, jobContext } from './jobContext.ts'

/** Every minute: what no job would finish any more is mended. */
export async function reconcile(jobs: JobServices): Promise<void> {
  const done = await mend(jobContext(jobs))
  if (done.failed + done.requeued > 0) jobs.services.log.warn(done, 'reconciled')
}
