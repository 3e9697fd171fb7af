import type { WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { unlockJobsExcept } from '../../database/queue/graphileInternals.ts'
import type { Log } from '../../domain/context.ts'

export type OrphanedJobSweeper = {
  /** Records the jobs of a runner, and the pool id under which it locks them. */
  trackRunner(events: WorkerEvents): void
  /** Ends the sweep of a pool that takes no more jobs. */
  removePool(poolId: string): void
  stop(): void
}

const sweepMs = 3000
/** The end of a job is written to the database a little after it is emitted. */
export const jobEndWriteMs = 2000

/**
 * Frees jobs that the queue counts as taken by this process although nobody here has them: the answer that named them got lost, and
 * the process lives, so that they would stay locked for hours. The same holds for jobs whose end could not be written, also by a runner that
 * was replaced and still runs others.
 */
export function makeOrphanedJobSweeper({ pool, log }: { pool: Pool; log: Log }): OrphanedJobSweeper {
  const inFlightJobs = new Set<string>()
  const poolIds = new Set<string>()
  const sweep = async () => {
    if (poolIds.size === 0) return
    const { rowCount } = await pool.query(unlockJobsExcept, [[...poolIds], [...inFlightJobs]])
    if (rowCount) log.warn({ jobs: rowCount }, 'jobs that nobody had were freed')
  }
  const timer = setInterval(() => void sweep().catch(() => undefined), sweepMs).unref()
  return {
    trackRunner(events) {
      events.on('pool:create', ({ workerPool }) => {
        poolIds.add(workerPool.id)
      })
      events.on('localQueue:getJobs:complete', ({ jobs }) => jobs.forEach(({ id }) => inFlightJobs.add(id)))
      events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(({ id }) => inFlightJobs.delete(id)))
      events.on('job:start', ({ job }) => void inFlightJobs.add(job.id))
      events.on('job:complete', ({ job }) => {
        setTimeout(() => inFlightJobs.delete(job.id), jobEndWriteMs).unref()
      })
    },
    removePool: (poolId) => void poolIds.delete(poolId),
    stop: () => clearInterval(timer),
  }
}
