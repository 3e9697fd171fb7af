import type { Context } from '../../domain/context.ts'
import { reconcileFiles } from '../../domain/files/reconcileFiles.ts'
import { reconcileGenerations } from '../../domain/generations/steps/reconcileGenerations.ts'
import { rescheduleFarFutureRows } from '../../domain/maintenance/rescheduleFarFutureRows.ts'
import { retryDelaySeconds } from '../../domain/webhooks/sending/retryDelay.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Repairs work that no job would finish, every minute. Rejects after all parts have run if one failed. */
export async function reconcile(context: JobContext): Promise<void> {
  const outcomes = await Promise.allSettled([
    repair(context, reconcileGenerations, 'reconciled generations'),
    repair(context, reconcileFiles, 'reconciled files'),
    repair(context, rescheduleFarFuture, 'rows due in the far future are rescheduled: the clock of the database was ahead'),
  ])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

async function repair(context: JobContext, run: (context: Context) => Promise<Record<string, number>>, message: string): Promise<void> {
  const repaired = await run(context)
  if (Object.values(repaired).some((count) => count > 0)) context.log.warn(repaired, message)
}

async function rescheduleFarFuture(context: Context): Promise<{ moved: number }> {
  const webhookSeconds = retryDelaySeconds(context.settings.webhookFirstRetrySeconds, 1) ?? 0
  return { moved: await rescheduleFarFutureRows(context, { webhookSeconds }) }
}
