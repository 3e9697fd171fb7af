import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import { recountLedger } from '../../domain/credits/recountLedger.ts'
import { recountMonths } from '../../domain/credits/recountMonths.ts'
import { sumUpUsage } from '../../domain/credits/usageSums.ts'
import { recordMissedCallbacks } from '../../domain/generations/ending/recordMissedCallbacks.ts'
import { applyTeamRetention } from '../../domain/generations/retention/applyTeamRetention.ts'
import type { RoutineName } from '../../domain/routines.ts'
import { raiseAlerts } from '../../domain/webhooks/alerts/raiseAlerts.ts'
import { pauseFailingSubscriptions } from '../../domain/webhooks/subscriptions/pauseFailingSubscriptions.ts'
import { type JobContext, type JobServices, jobContext } from '../runners/jobContext.ts'
import { clearPartitions, keepPartitions } from './keepPartitions.ts'
import { prune } from './prune.ts'
import { reconcile } from './reconcile.ts'
import { type Routines, startRoutines } from './startRoutines.ts'

const routines: Record<RoutineName, (context: JobContext) => Promise<void>> = {
  reconcile,
  prune,
  keepPartitions,
  clearPartitions,
  keepRetention: (context) => applyTeamRetention(context, context.shutdown),
  recordCallbacks: async (context) => void (await recordMissedCallbacks(context)),
  raiseAlerts: async (context) => void (await raiseAlerts(context)),
  pauseFailing: async (context) => void (await pauseFailingSubscriptions(context)),
  sumUpUsage: async (context) => void (await sumUpUsage(context, () => context.shutdown.aborted)),
  recountMonths: async (context) => void (await recountMonths(context, () => context.shutdown.aborted)),
  recountLedger: async (context) => void (await recountLedger(context, () => context.shutdown.aborted)),
}

type MaintenanceOptions = { slots: SharedSlots; processId: string; pollIntervalMs?: number | undefined }

/** Runs the queue `maintenance` in this process. */
export function startMaintenance(jobs: JobServices, { slots, ...options }: MaintenanceOptions): Routines {
  return startRoutines(jobs, { ...options, run: (name) => routines[name](jobContext(jobs, slots)) })
}
