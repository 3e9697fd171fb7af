import { pruneRequestCounts } from '../../domain/access/admission/pruneRequestCounts.ts'
import { releaseOrphanedSlots } from '../../domain/access/admission/releaseOrphanedSlots.ts'
import { pruneKeyRefusals } from '../../domain/access/keys/keyRefusals.ts'
import { pruneSignIns } from '../../domain/access/sessions/pruneSignIns.ts'
import { pruneAudit } from '../../domain/audit/pruneAudit.ts'
import { removalsWait } from '../../domain/backups/removalsWait.ts'
import type { Context } from '../../domain/context.ts'
import { pruneUsageLabels } from '../../domain/credits/usageByLabel.ts'
import { expireFiles } from '../../domain/files/expireFiles.ts'
import { retryRemovals } from '../../domain/files/stuckRemovals.ts'
import { pruneIdempotency } from '../../domain/generations/retention/pruneIdempotency.ts'
import { pruneLinks } from '../../domain/generations/retention/pruneLinks.ts'
import { pruneQuotes } from '../../domain/generations/retention/pruneQuotes.ts'
import { purgeDeletedOwners } from '../../domain/generations/retention/purgeDeletedOwners.ts'
import { pruneOwnerServedTimes } from '../../domain/generations/start/startQueues.ts'
import { pruneJobs } from '../../domain/maintenance/pruneJobs.ts'
import { pruneVendorSlots } from '../../domain/vendors/pruneVendorSlots.ts'
import { pruneAlerts } from '../../domain/webhooks/alerts/raiseAlerts.ts'
import { pruneCallbacks } from '../../domain/webhooks/callbacks/pruneCallbacks.ts'
import {
  pruneDeliveries,
  pruneOlderSecrets,
  pruneSubscriptions,
  pruneWebhookHours,
} from '../../domain/webhooks/deliveries/pruneDeliveries.ts'
import { pruneSharedBodies } from '../../domain/webhooks/deliveries/sharedBodies.ts'
import { closeOrphanedDeliveries } from '../../domain/webhooks/subscriptions/deleteSubscription.ts'
import { resealSecrets } from '../../domain/webhooks/subscriptions/resealSecrets.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Each step deletes expired rows in batches and returns their number. */
const steps: Record<string, (context: Context) => Promise<number>> = {
  idempotency: pruneIdempotency,
  quotes: pruneQuotes,
  requestCounts: pruneRequestCounts,
  requestSlots: releaseOrphanedSlots,
  spentJobs: pruneJobs,
  signIns: pruneSignIns,
  auditLog: pruneAudit,
  usageLabels: pruneUsageLabels,
  orphanedDeliveries: closeOrphanedDeliveries,
  deliveries: pruneDeliveries,
  webhookBodies: pruneSharedBodies,
  webhookHours: pruneWebhookHours,
  alerts: pruneAlerts,
  keyRefusals: pruneKeyRefusals,
  callbacks: pruneCallbacks,
  subscriptions: pruneSubscriptions,
  olderSecrets: pruneOlderSecrets,
  deletedOwners: purgeDeletedOwners,
  stuckRemovals: async (context) => ((await removalsWait(context)) ? 0 : retryRemovals(context)),
  files: async (context) => ((await removalsWait(context)) ? 0 : expireFiles(context)),
  links: pruneLinks,
  vendorSlots: pruneVendorSlots,
  ownerTurns: pruneOwnerServedTimes,
  secrets: resealOrWarn,
}

/**
 * Deletes expired rows, every few minutes. A step that fails does not stop the others and runs again the next time. Throws at the end if
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

async function resealOrWarn(context: Context): Promise<number> {
  const unopened = await resealSecrets(context)
  if (unopened > 0) context.log.error({ unopened }, 'SECRET_KEY does not open every signing secret')
  return 0
}
