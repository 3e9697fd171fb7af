import type { Context } from '../../domain/context.ts'
import { reconcileFiles } from '../../domain/files/reconcileFiles.ts'
import { reconcileGenerations } from '../../domain/generations/steps/reconcileGenerations.ts'
import { rescheduleFarFutureRows } from '../../domain/maintenance/rescheduleFarFutureRows.ts'
import { retryDelaySeconds } from '../../domain/webhooks/sending/retryDelay.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Every minute: what no job would finish any more is mended. Rejects when a part of it failed, once the others are done. */
export async function reconcile(context: JobContext): Promise<void> {
  const outcomes = await Promise.allSettled([
    mend(context, reconcileGenerations, 'reconciled generations'),
    mend(context, reconcileFiles, 'reconciled files'),
    mend(context, rescheduleFarFuture, 'what was due in a far future is due now: the clock of the database was ahead'),
  ])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

async function mend(context: JobContext, run: (context: Context) => Promise<Record<string, number>>, message: string): Promise<void> {
  const mended = await run(context)
  if (Object.values(mended).some((count) => count > 0)) context.log.warn(mended, message)
}

async function rescheduleFarFuture(context: Context): Promise<{ moved: number }> {
  const webhookSeconds = retryDelaySeconds(context.settings.webhookFirstRetrySeconds, 1) ?? 0
  return { moved: await rescheduleFarFutureRows(context, { webhookSeconds }) }
}
