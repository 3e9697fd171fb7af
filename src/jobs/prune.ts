import { pruneRequestCounts } from '../domain/access/pruneRequestCounts.ts'
import { pruneSignIns } from '../domain/access/pruneSignIns.ts'
import { pruneAudit } from '../domain/audit/pruneAudit.ts'
import { removalsWait } from '../domain/backups/removalsWait.ts'
import type { Context } from '../domain/context.ts'
import { expireFiles } from '../domain/files/expireFiles.ts'
import { forgetOwners } from '../domain/generations/forgetOwners.ts'
import { pruneIdempotency } from '../domain/generations/pruneIdempotency.ts'
import { pruneLinks } from '../domain/generations/pruneLinks.ts'
import { pruneQuotes } from '../domain/generations/pruneQuotes.ts'
import { pruneSlots } from '../domain/vendors/pruneSlots.ts'
import { closeOrphans } from '../domain/webhooks/deleteSubscription.ts'
import { pruneDeliveries, pruneHours, pruneOlderSecrets, pruneSubscriptions } from '../domain/webhooks/pruneDeliveries.ts'
import { resealSecrets } from '../domain/webhooks/resealSecrets.ts'
import type { JobContext } from './jobContext.ts'

/** What is forgotten when its time has run out. Each says how many it forgot, and deletes in batches. */
const steps: Record<string, (context: Context) => Promise<number>> = {
  idempotency: pruneIdempotency,
  quotes: pruneQuotes,
  requestCounts: pruneRequestCounts,
  signIns: pruneSignIns,
  auditLog: pruneAudit,
  orphanedDeliveries: closeOrphans,
  deliveries: pruneDeliveries,
  webhookHours: pruneHours,
  subscriptions: pruneSubscriptions,
  olderSecrets: pruneOlderSecrets,
  deletedOwners: forgetOwners,
  files: async (context) => ((await removalsWait(context)) ? 0 : expireFiles(context)),
  links: pruneLinks,
  vendorSlots: pruneSlots,
  secrets: resealOrTell,
}

/** Every few minutes: forgets what has run out. A step that fails stops no other, and comes again the next time. */
export async function prune(context: JobContext): Promise<void> {
  for (const [step, run] of Object.entries(steps)) {
    if (context.shutdown.aborted) return
    try {
      const forgotten = await run(context)
      context.log[forgotten > 0 ? 'info' : 'debug']({ step, forgotten }, 'pruned')
    } catch (error) {
      context.log.error({ step, error }, 'pruning failed')
    }
  }
}

async function resealOrTell(context: Context): Promise<number> {
  const unopened = await resealSecrets(context)
  if (unopened > 0) context.log.error({ unopened }, 'SECRET_KEY does not open every signing secret')
  return 0
}
