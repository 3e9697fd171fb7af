import { freeLostSlots } from '../domain/access/freeLostSlots.ts'
import { pruneRequestCounts } from '../domain/access/pruneRequestCounts.ts'
import { pruneSignIns } from '../domain/access/pruneSignIns.ts'
import { pruneAudit } from '../domain/audit/pruneAudit.ts'
import { removalsWait } from '../domain/backups/removalsWait.ts'
import type { Context } from '../domain/context.ts'
import { expireFiles } from '../domain/files/expireFiles.ts'
import { retryRemovals } from '../domain/files/stuckRemovals.ts'
import { forgetOwners } from '../domain/generations/forgetOwners.ts'
import { pruneIdempotency } from '../domain/generations/pruneIdempotency.ts'
import { pruneLinks } from '../domain/generations/pruneLinks.ts'
import { pruneQuotes } from '../domain/generations/pruneQuotes.ts'
import { pruneOwnerTurns } from '../domain/generations/startLines.ts'
import { dropCronJobs } from '../domain/maintenance/dropCronJobs.ts'
import { pruneJobs } from '../domain/pruneJobs.ts'
import { pruneSlots } from '../domain/vendors/pruneSlots.ts'
import { closeOrphans } from '../domain/webhooks/deleteSubscription.ts'
import { pruneDeliveries, pruneHours, pruneOlderSecrets, pruneSubscriptions } from '../domain/webhooks/pruneDeliveries.ts'
import { resealSecrets } from '../domain/webhooks/resealSecrets.ts'
import { pruneBodies } from '../domain/webhooks/sharedBodies.ts'
import type { JobContext } from './jobContext.ts'

/** What is forgotten when its time has run out. Each says how many it forgot, and deletes in batches. */
const steps: Record<string, (context: Context) => Promise<number>> = {
  idempotency: pruneIdempotency,
  quotes: pruneQuotes,
  requestCounts: pruneRequestCounts,
  requestSlots: freeLostSlots,
  spentJobs: pruneJobs,
  signIns: pruneSignIns,
  auditLog: pruneAudit,
  orphanedDeliveries: closeOrphans,
  deliveries: pruneDeliveries,
  webhookBodies: pruneBodies,
  webhookHours: pruneHours,
  subscriptions: pruneSubscriptions,
  olderSecrets: pruneOlderSecrets,
  deletedOwners: forgetOwners,
  stuckRemovals: async (context) => ((await removalsWait(context)) ? 0 : retryRemovals(context)),
  files: async (context) => ((await removalsWait(context)) ? 0 : expireFiles(context)),
  links: pruneLinks,
  vendorSlots: pruneSlots,
  ownerTurns: pruneOwnerTurns,
  secrets: resealOrTell,
  cronJobs: dropCronJobs,
}

/**
 * Every few minutes: forgets what has run out. A step that fails stops no other, and comes again the next time. Throws at the end when
 * one failed.
 */
export async function prune(context: JobContext): Promise<void> {
  const failed: string[] = []
  for (const [step, run] of Object.entries(steps)) {
    if (context.shutdown.aborted) return
    try {
      const forgotten = await run(context)
      context.log[forgotten > 0 ? 'info' : 'debug']({ step, forgotten }, 'pruned')
    } catch (error) {
      failed.push(step)
      context.log.error({ step, error }, 'pruning failed')
    }
  }
  if (failed.length > 0) throw new Error(`steps failed: ${failed.join(', ')}`)
}

async function resealOrTell(context: Context): Promise<number> {
  const unopened = await resealSecrets(context)
  if (unopened > 0) context.log.error({ unopened }, 'SECRET_KEY does not open every signing secret')
  return 0
}
