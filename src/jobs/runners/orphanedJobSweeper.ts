import type { Job, WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { unlockJobsExcept } from '../../database/queue/graphileInternals.ts'
import type { Log } from '../../domain/context.ts'
import type { QueueLimits } from './queueLimits.ts'

export type OrphanedJobSweeper = {
  /** Records the jobs of a runner, and the pool id under which it locks them. */
  trackRunner(events: WorkerEvents): void
  /** Ends the sweep of a pool that takes no more jobs. */
  removePool(poolId: string): void
  stop(): void
}

type SweeperOptions = { pool: Pool; log: Log; limits: QueueLimits }

/**
 * Unlocks jobs that are locked by this process but not in flight: the answer of the fetch was lost, or the end of the job was not
 * recorded, also by a replaced runner. Otherwise they would stay locked for hours, since the process is alive.
 */
export function makeOrphanedJobSweeper({ pool, log, limits }: SweeperOptions): OrphanedJobSweeper {
  /** By id, the latest run of each job: the next run of a job may start before the end of its last one was recorded. */
  const inFlightJobs = new Map<string, Pick<Job, 'id'>>()
  const poolIds = new Set<string>()
  const add = (job: Pick<Job, 'id'>) => void inFlightJobs.set(job.id, job)
  const remove = (job: Pick<Job, 'id'>) => {
    if (inFlightJobs.get(job.id) === job) inFlightJobs.delete(job.id)
  }
  const sweep = async () => {
    if (poolIds.size === 0) return
    const { rowCount } = await pool.query(unlockJobsExcept, [[...poolIds], [...inFlightJobs.keys()], limits.lockAgeMs])
    if (rowCount) log.warn({ jobs: rowCount }, 'orphaned jobs were unlocked')
  }
  const timer = setInterval(() => void sweep().catch(() => undefined), limits.sweepMs).unref()
  return {
    trackRunner(events) {
      events.on('pool:create', ({ workerPool }) => {
        poolIds.add(workerPool.id)
      })
      events.on('localQueue:getJobs:complete', ({ jobs }) => jobs.forEach(add))
      events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(remove))
      events.on('job:start', ({ job }) => add(job))
      events.on('job:complete', ({ job }) => {
        setTimeout(() => remove(job), limits.jobEndWriteMs).unref()
      })
    },
    removePool: (poolId) => void poolIds.delete(poolId),
    stop: () => clearInterval(timer),
  }
}
