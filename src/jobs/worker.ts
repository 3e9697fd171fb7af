import type { Pool } from 'pg'
import { makeSharedSlots } from '../concurrency/sharedSlots.ts'
import { type WorkQueue, workQueues } from '../contract/workQueues.ts'
import { openQueuePool } from '../database/queuePool.ts'
import { openSessionLocks } from '../database/sessionLocks.ts'
import { webhookDeliverer } from './deliverWebhooks.ts'
import { deliveryRunners } from './deliveryRunners.ts'
import { fileRunners } from './fileRunners.ts'
import { generationRunners } from './generationRunners.ts'
import type { JobServices } from './jobContext.ts'
import { maintenanceRunners } from './maintenanceRunners.ts'
import { type RunnerOptions, startRunner } from './startRunner.ts'

export type Worker = { stop(): Promise<void> }

export type WorkerOptions = {
  pool: Pool
  /** For connections that no pooler may stand before. */
  databaseUrl: string
  processId: string
  concurrency: number
  /** What this process takes: all of it unless given. */
  queues?: readonly WorkQueue[] | undefined
  onPool(runner: string, poolId: string): void
}

type Part = { runners: RunnerOptions[]; stop?(): void; close?(): Promise<void> }

/** The runners of one queue. Each has slots of its own, so that what hangs in one keeps nothing else from its turn. */
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

/**
 * Runs the jobs of this process until stopped; stopping lets running jobs come to a point where another can go on.
 * `onPool` hears the names under which this process locks jobs.
 */
export async function startWorker(jobs: JobServices, options: WorkerOptions): Promise<Worker> {
  const { concurrency, queues = workQueues, log } = { ...options, log: jobs.services.log }
  const slots = makeSharedSlots(concurrency)
  const openers: Record<WorkQueue, Opener> = {
    generations: () => ({ runners: generationRunners(jobs, { slots, concurrency }) }),
    deliveries,
    files: () => ({ runners: fileRunners(jobs, { slots }) }),
    maintenance: () => ({ runners: maintenanceRunners(jobs, { slots }) }),
  }
  const queuePool = openQueuePool(options.pool, { directUrl: options.databaseUrl, log })
  const parts = workQueues.filter((queue) => queues.includes(queue)).map((queue) => openers[queue](jobs, options))
  const running: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of parts) part.stop?.()
    await Promise.all(running.map((each) => each.stop()))
    await Promise.all([queuePool.close(), ...parts.map((part) => part.close?.())])
  }
  try {
    const poolOf = ({ tasks }: RunnerOptions) => queuePool.poolFor(Object.keys(tasks))
    for (const runner of parts.flatMap(({ runners }) => runners))
      running.push(await startRunner(jobs, runner, { ...options, pool: poolOf(runner) }))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
