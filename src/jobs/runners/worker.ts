import type { Pool } from 'pg'
import { makeSharedSlots } from '../../concurrency/sharedSlots.ts'
import { type WorkQueue, workQueues } from '../../contract/workQueues.ts'
import { openSessionLocks } from '../../database/liveness/sessionLocks.ts'
import { openQueuePool } from '../../database/queue/queuePool.ts'
import { makeRemovedJobs } from '../../database/queue/removedJobs.ts'
import type { Log } from '../../domain/context.ts'
import { webhookDeliverer } from '../deliveries/deliverWebhooks.ts'
import { startMaintenance } from '../maintenance/maintenance.ts'
import { type OpenSubmits, openSubmits } from '../steps/openSubmits.ts'
import { deliveryRunners } from './deliveryRunners.ts'
import { fileRunners } from './fileRunners.ts'
import { generationRunners } from './generationRunners.ts'
import type { JobServices } from './jobContext.ts'
import { type PoolListener, type RunnerOptions, startRunner } from './startRunner.ts'

export type Worker = {
  /** Takes no more jobs. Resolves when running jobs have ended, or after a time limit; another process continues them. */
  stop(): Promise<void>
  /** After a call of `stop`: resolves when no submit is open, or after `drainSeconds`. */
  drained(): Promise<void>
}

export type WorkerOptions = PoolListener & {
  pool: Pool
  /** For connections that must not go through a pooler. */
  databaseUrl: string
  processId: string
  concurrency: number
  /** The queues of this process. Default: all. */
  queues?: readonly WorkQueue[] | undefined
  /** How long a stop waits for open submits, whose answers would be lost. Default 0. */
  drainSeconds?: number | undefined
  /** How long a stop waits for other jobs. */
  stopMs?: number | undefined
  /** The mean time between two polls for maintenance. */
  maintenancePollMs?: number | undefined
}

type Part = { runners: RunnerOptions[]; stop?(): void; close?(): Promise<void> }

/** Opens the runners of one queue. Each has slots of its own, so that jobs that hang in one do not delay the others. */
type Opener = (jobs: JobServices, options: WorkerOptions) => Part

function deliveries({ services }: JobServices, { databaseUrl, processId }: WorkerOptions): Part {
  const locks = openSessionLocks(databaseUrl, { processId, log: services.log })
  const deliverer = webhookDeliverer(services, { locks })
  return {
    runners: deliveryRunners(deliverer),
    stop: () => deliverer.stop(),
    close: async () => {
      deliverer.close()
      await locks.close()
    },
  }
}

/** Runs the jobs of this process until stopped. */
export async function startWorker(given: Omit<JobServices, 'openSubmits' | 'removedJobs'>, options: WorkerOptions): Promise<Worker> {
  const submits = openSubmits(options.processId)
  const jobs: JobServices = { ...given, openSubmits: submits, removedJobs: makeRemovedJobs() }
  const drain = drainOf(submits, { seconds: options.drainSeconds ?? 0, log: jobs.services.log })
  const { concurrency, queues = workQueues, log } = { ...options, log: jobs.services.log }
  const slots = makeSharedSlots(concurrency)
  const openers: Record<WorkQueue, Opener> = {
    generations: () => ({ runners: generationRunners(jobs, { slots, concurrency }) }),
    deliveries,
    files: () => ({ runners: fileRunners(jobs, { slots }) }),
    maintenance: () => ({
      runners: [],
      ...startMaintenance(jobs, { slots, processId: options.processId, pollIntervalMs: options.maintenancePollMs }),
    }),
  }
  const queuePool = openQueuePool(options.pool, { directUrl: options.databaseUrl, log, removedJobs: jobs.removedJobs })
  const parts = workQueues.filter((queue) => queues.includes(queue)).map((queue) => openers[queue](jobs, options))
  const running: { stop(): Promise<void> }[] = []
  const stop = async () => {
    drain.begin()
    for (const part of parts) part.stop?.()
    await Promise.all(running.map((each) => each.stop()))
    await Promise.all([queuePool.close(), ...parts.map((part) => part.close?.())])
  }
  try {
    const poolOf = ({ tasks }: RunnerOptions) => queuePool.poolFor(Object.keys(tasks))
    for (const runner of parts.flatMap(({ runners }) => runners))
      running.push(await startRunner(jobs, runner, { ...options, pool: poolOf(runner), drained: drain.finished }))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop, drained: drain.finished }
}

/** From `begin` on, waits `seconds` for open submits. After that their answers are lost. */
function drainOf(submits: OpenSubmits, { seconds, log }: { seconds: number; log: Log }) {
  const limit = new AbortController()
  return {
    begin() {
      const count = submits.count()
      if (count > 0) log.info({ submits: count, seconds }, 'waits for the answers of vendors before it ends')
      const giveUp = () => {
        if (submits.count() > 0) log.error({ submits: submits.count(), seconds }, 'ends without the answers of vendors')
        limit.abort()
      }
      setTimeout(giveUp, seconds * 1000).unref()
    },
    finished: () => submits.none(limit.signal),
  }
}
