import type { WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log } from '../domain/context.ts'

export type JobsInHand = {
  /** Hears from a runner which jobs it has, and under which name it locks them. */
  follow(events: WorkerEvents): void
  stop(): void
}

const sweepMs = 3000
/** The end of a job is written down a little after it is told. */
const keptMs = 2000

const freeUnheld = `update graphile_worker._private_jobs set locked_at = null, locked_by = null
  where locked_by = $1 and locked_at < now() - interval '4 seconds' and id <> all($2::bigint[]) returning id`

/**
 * Frees jobs that the queue counts as taken by this process although nobody here has them: the answer that named them got lost, and
 * the process lives, so that they would stay locked for hours.
 */
export function jobsInHand({ pool, log }: { pool: Pool; log: Log }): JobsInHand {
  const inHand = new Set<string>()
  let poolId: string | undefined
  const sweep = async () => {
    if (poolId === undefined) return
    const { rowCount } = await pool.query(freeUnheld, [poolId, [...inHand]])
    if (rowCount) log.warn({ jobs: rowCount }, 'jobs that nobody had were freed')
  }
  const timer = setInterval(() => void sweep().catch(() => undefined), sweepMs).unref()
  return {
    follow(events) {
      events.on('pool:create', ({ workerPool }) => {
        poolId = workerPool.id
      })
      events.on('localQueue:getJobs:complete', ({ jobs }) => jobs.forEach(({ id }) => inHand.add(id)))
      events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(({ id }) => inHand.delete(id)))
      events.on('job:start', ({ job }) => void inHand.add(job.id))
      events.on('job:complete', ({ job }) => {
        setTimeout(() => inHand.delete(job.id), keptMs).unref()
      })
    },
    stop: () => clearInterval(timer),
  }
}
