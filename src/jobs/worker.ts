import type { Pool } from 'pg'
import { makeSharedSlots } from '../concurrency/sharedSlots.ts'
import type { Tasks } from '../domain/queue.ts'
import { cancelAtProvider } from './cancelAtProvider.ts'
import { deliverWebhooks } from './deliverWebhooks.ts'
import { finaliseGeneration } from './finaliseGeneration.ts'
import { fullFamilies } from './fullFamilies.ts'
import { inspectFile } from './inspectFile.ts'
import { type JobContext, type JobServices, jobContext } from './jobContext.ts'
import { pollGeneration } from './pollGeneration.ts'
import { prune } from './prune.ts'
import { reconcile } from './reconcile.ts'
import { removeOrphans } from './removeOrphans.ts'
import { type RunnerOptions, startRunner } from './startRunner.ts'
import { submitGeneration } from './submitGeneration.ts'

export type Worker = { stop(): Promise<void> }

export type WorkerOptions = { pool: Pool; concurrency: number; onPool(runner: string, poolId: string): void }

type Handler<Name extends keyof Tasks> = (context: JobContext, payload: Tasks[Name]) => Promise<void>

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
        removeOrphans: on<'removeOrphans'>(removeOrphans),
        inspectFile: on<'inspectFile'>(inspectFile),
      },
      skip: fullFamilies(jobs, slots),
    },
    {
      // A slot for each, so that none waits for another.
      name: 'maintenance',
      jobsAtOnce: 2,
      tasks: { reconcile: alone(() => reconcile(fresh())), prune: alone(() => prune(fresh())) },
      crontab: [
        { task: 'reconcile', match: '* * * * *' },
        { task: 'prune', match: '*/10 * * * *' },
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
 * Runs the jobs of this process and delivers webhooks until stopped; stopping lets running jobs come to a point where another can go on.
 * `onPool` hears the names under which this process locks jobs; that of the work leases deliveries too.
 */
export async function startWorker(jobs: JobServices, options: WorkerOptions): Promise<Worker> {
  let holder = ''
  const onPool = (runner: string, poolId: string) => {
    if (runner === 'work') holder = poolId
    options.onPool(runner, poolId)
  }
  const running: { stop(): Promise<void> }[] = []
  const stop = async () => void (await Promise.all(running.map((each) => each.stop())))
  try {
    for (const runner of runnersOf(jobs, options)) running.push(await startRunner(jobs, runner, { pool: options.pool, onPool }))
  } catch (error) {
    await stop()
    throw error
  }
  running.push(deliverWebhooks(jobs.services, holder))
  return { stop }
}
