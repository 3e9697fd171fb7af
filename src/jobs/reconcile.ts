import { reconcileFiles } from '../domain/files/reconcileFiles.ts'
import { reconcile as mend } from '../domain/generations/reconcileGenerations.ts'
import type { JobContext } from './jobContext.ts'

/** Every minute: what no job would finish any more is mended. */
export async function reconcile(context: JobContext): Promise<void> {
  const done = await mend(context)
  if (done.failed + done.requeued > 0) context.log.warn(done, 'reconciled')
  const files = await reconcileFiles(context)
  if (files.removed + files.requeued + files.failed > 0) context.log.warn(files, 'reconciled files')
}
