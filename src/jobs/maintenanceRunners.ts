import type { SharedSlots } from '../concurrency/sharedSlots.ts'
import { recountLedger } from '../domain/credits/recountLedger.ts'
import { keepRetention } from '../domain/generations/keepRetention.ts'
import { type JobContext, type JobServices, jobContext } from './jobContext.ts'
import { keepPartitions } from './keepPartitions.ts'
import { prune } from './prune.ts'
import { reconcile } from './reconcile.ts'
import type { RunnerOptions } from './startRunner.ts'

/** What is done by the clock: when, as a crontab says it, and by what. */
const routines: Record<string, { match: string; run(context: JobContext): Promise<void> }> = {
  reconcile: { match: '* * * * *', run: reconcile },
  prune: { match: '*/10 * * * *', run: prune },
  keepPartitions: { match: '5,15,25,35,45,55 * * * *', run: keepPartitions },
  keepRetention: { match: '2,7,12,17,22,27,32,37,42,47,52,57 * * * *', run: (context) => keepRetention(context, context.shutdown) },
  recountLedger: { match: '*/5 * * * *', run: async (context) => void (await recountLedger(context, () => context.shutdown.aborted)) },
}

/** The runner of the queue `maintenance`: routines, each once a turn over all processes, with a slot for each so that none waits for another. */
export function maintenanceRunners(jobs: JobServices, { slots }: { slots: SharedSlots }): RunnerOptions[] {
  const entries = Object.entries(routines)
  return [
    {
      name: 'maintenance',
      jobsAtOnce: entries.length,
      tasks: Object.fromEntries(entries.map(([task, { run }]) => [task, alone(() => run(jobContext(jobs, slots)))])),
      crontab: entries.map(([task, { match }]) => ({ task, match })),
    },
  ]
}

/** One that this process is still at is not begun again beside itself. */
function alone(routine: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    await routine().finally(() => {
      isRunning = false
    })
  }
}
