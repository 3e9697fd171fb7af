import { reconcileFiles } from '../domain/files/reconcileFiles.ts'
import { reconcileGenerations } from '../domain/generations/reconcileGenerations.ts'
import type { JobContext } from './jobContext.ts'

/** Every minute: what no job would finish any more is mended. */
export async function reconcile(context: JobContext): Promise<void> {
  const generations = await reconcileGenerations(context)
  if (generations.failed + generations.requeued > 0) context.log.warn(generations, 'reconciled generations')
  const files = await reconcileFiles(context)
  if (files.removed + files.requeued + files.failed > 0) context.log.warn(files, 'reconciled files')
}
