import type { Pool } from 'pg'
import { makeSharedSlots } from '../concurrency/sharedSlots.ts'
import { openSessionLocks } from '../database/sessionLocks.ts'
import { recountLedger } from '../domain/credits/recountLedger.ts'
import type { Tasks } from '../domain/queue.ts'
import { handSlotsOn } from '../domain/vendors/handSlotsOn.ts'
import { cancelAtProvider } from './cancelAtProvider.ts'
import { type Deliverer, subscriptionsAtOnce, webhookDeliverer } from './deliverWebhooks.ts'
import { finaliseGeneration } from './finaliseGeneration.ts'
import { fullFamilies } from './fullFamilies.ts'
import { inspectFile } from './inspectFile.ts'
import { type JobContext, type JobServices, jobContext } from './jobContext.ts'
import { pollGeneration } from './pollGeneration.ts'
import { prune } from './prune.ts'
import { reconcile } from './reconcile.ts'
import { removeObject } from './removeObject.ts'
import { removeOrphans } from './removeOrphans.ts'
import { type RunnerOptions, startRunner } from './startRunner.ts'
import { submitGeneration } from './submitGeneration.ts'

export type Worker = { stop(): Promise<void> }

export type WorkerOptions = {
  pool: Pool
  /** For connections that no pooler may stand before. */
  databaseUrl: string
  processId: string
  concurrency: number
  onPool(runner: string, poolId: string): void
}

type Handler<Name extends keyof Tasks> = (context: JobContext, payload: Tasks[Name]) => Promise<void>

/** The runners that deliver webhooks. Receivers in trouble hang, so they take one another's places and nobody else's. */
export function deliveryRunners(deliverer: Deliverer): RunnerOptions[] {
  const runner = (name: string, task: 'deliverWebhooks' | 'deliverToTroubled', troubled: boolean): RunnerOptions => ({
    name,
    jobsAtOnce: subscriptionsAtOnce,
    takesMany: true,
    pollMs: 1000,
    tasks: { [task]: ({ subscriptionId }: Tasks[typeof task]) => deliverer.deliver(subscriptionId, { troubled }) },
  })
  return [runner('deliveries', 'deliverWebhooks', false), runner('troubled deliveries', 'deliverToTroubled', true)]
}

/** The runners of a process. Work that waits for others stands apart from what mends and clears up behind it. */
function runnersOf(jobs: JobServices, { concurrency }: WorkerOptions): RunnerOptions[] {
  const slots = makeSharedSlots(concurrency)
  const fresh = () => jobContext(jobs, slots)
  const on =
    <Name extends keyof Tasks>(handler: Handler<Name>) =>
    (payload: Tasks[Name]) =>
      handler(fresh(), payload)
  return [
    {
      name: 'work',
      jobsAtOnce: concurrency,
      tasks: {
        submitGeneration: on<'submitGeneration'>(submitGeneration),
        pollGeneration: on<'pollGeneration'>(pollGeneration),
        finaliseGeneration: on<'finaliseGeneration'>(finaliseGeneration),
        cancelAtProvider: on<'cancelAtProvider'>(cancelAtProvider),
        inspectFile: on<'inspectFile'>(inspectFile),
      },
      skip: fullFamilies(jobs, slots),
    },
    {
      // However much is deleted at once, and however long the storage takes over it, work goes on.
      name: 'removals',
      jobsAtOnce: 4,
      tasks: { removeObject: on<'removeObject'>(removeObject), removeOrphans: on<'removeOrphans'>(removeOrphans) },
    },
    {
      // A slot for each, so that none waits for another.
      name: 'maintenance',
      jobsAtOnce: 4,
      tasks: {
        handSlotsOn: ({ providerId }: Tasks['handSlotsOn']) => handSlotsOn(fresh(), providerId),
        reconcile: alone(() => reconcile(fresh())),
        prune: alone(() => prune(fresh())),
        recountLedger: alone(async () => void (await recountLedger(fresh(), () => jobs.shutdown.aborted))),
      },
      crontab: [
        { task: 'reconcile', match: '* * * * *' },
        { task: 'prune', match: '*/10 * * * *' },
        { task: 'recountLedger', match: '*/5 * * * *' },
      ],
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

/**
 * Runs the jobs of this process until stopped; stopping lets running jobs come to a point where another can go on.
 * `onPool` hears the names under which this process locks jobs.
 */
export async function startWorker(jobs: JobServices, options: WorkerOptions): Promise<Worker> {
  const locks = openSessionLocks(options.databaseUrl, { processId: options.processId, log: jobs.services.log })
  const deliverer = webhookDeliverer(jobs.services, { locks })
  const running: { stop(): Promise<void> }[] = []
  const stop = async () => {
    deliverer.stop()
    await Promise.all(running.map((each) => each.stop()))
    deliverer.close()
    await locks.close()
  }
  try {
    const runners = [...runnersOf(jobs, options), ...deliveryRunners(deliverer)]
    for (const runner of runners) running.push(await startRunner(jobs, runner, options))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
