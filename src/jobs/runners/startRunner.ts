import { type Job, Logger, type Task } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log } from '../../domain/context.ts'
import type { FetchThrottle } from './fetchThrottle.ts'
import type { JobServices } from './jobContext.ts'
import { runWithJobInfo } from './jobSpans.ts'
import { type Queue, runQueue } from './runQueue.ts'

/**
 * Each runner has its own job slots, so that slow jobs of one runner do not delay the jobs of another. `fetchThrottle` limits its fetches
 * to jobs that can get a shared slot.
 */
export type RunnerOptions = {
  name: string
  jobsAtOnce: number
  tasks: Record<string, RunnerTask>
  fetchThrottle?: FetchThrottle
  /** `stop` waits for pending submits, because their responses would be lost. */
  drains?: true
  /**
   * Fetches jobs for all slots in one query instead of one query per slot. Use it for many short jobs. A fetched job waits a few seconds
   * at most for a slot. During this time, other processes cannot take it.
   */
  prefetches?: boolean
  pollMs?: number
}

/** `job`: the job as the queue has locked it. */
type RunnerTask = (payload: never, helpers: { job: Pick<Job, 'id' | 'locked_by'> }) => Promise<void>

/** A fallback: the due-job poller wakes a slot within two seconds. Each slot fetches in this interval, also while nothing is due. */
const defaultPollMs = 300_000
const prefetchTtlMs = 5000

/** Receives the id of each worker pool of this process when it is created, and after its last job. Jobs are locked under this id. */
export type PoolListener = { onPool(poolId: string): void; onPoolEnd?(poolId: string): void }

/** `drained` resolves when no submit is pending. `stopMs`: the time that `stop` waits for other jobs. */
export type RunnerResources = PoolListener & { pool: Pool; drained?: () => Promise<void>; stopMs?: number | undefined }

/** Runs the jobs of `tasks` until stopped. */
export async function startRunner(
  { services, removedJobs }: Pick<JobServices, 'services' | 'removedJobs'>,
  { name, jobsAtOnce, tasks, fetchThrottle, drains, prefetches = false, pollMs = defaultPollMs }: RunnerOptions,
  { pool, onPool, onPoolEnd, drained, stopMs }: RunnerResources,
): Promise<Queue> {
  const { log } = services
  const queue = {
    pgPool: pool,
    taskList: Object.fromEntries(Object.entries(tasks).map(([task, work]) => [task, taskOf({ services, removedJobs }, task, work)])),
    noHandleSignals: true,
    parsedCronItems: [],
    logger: queueLogger(log),
    ...(fetchThrottle ? { forbiddenFlags: fetchThrottle.before } : {}),
    preset: {
      worker: {
        concurrentJobs: jobsAtOnce,
        pollInterval: pollMs,
        ...(prefetches ? { localQueue: { size: jobsAtOnce, ttl: prefetchTtlMs } } : {}),
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: 8000,
      },
    },
  }
  return runQueue(queue, { name, onPool, onPoolEnd, onEmptyFetch: fetchThrottle?.onEmptyFetch, drained: drains && drained, stopMs, log })
}

/**
 * Makes a task of the library. Records the end of a run, which the library then completes. Replaces error messages, which may contain user
 * text: graphile-worker logs and stores them.
 */
function taskOf(
  { services: { log, metrics }, removedJobs }: Pick<JobServices, 'services' | 'removedJobs'>,
  task: string,
  work: RunnerTask,
): Task {
  return async (payload, { job }) => {
    const startedAt = performance.now()
    const record = (outcome: 'done' | 'failed') => {
      metrics.job({ task, waitSeconds: waitOf(job), seconds: (performance.now() - startedAt) / 1000, outcome })
    }
    try {
      await runWithJobInfo({ task, waitMs: Math.round(waitOf(job) * 1000) }, () => work(payload as never, { job }))
      removedJobs.recordEnd(job)
      record('done')
    } catch (error) {
      record('failed')
      log.error({ job: task, error }, 'a job failed')
      throw new Error(`${task} failed`, { cause: error })
    }
  }
}

/** Seconds from the due time of the job to its lock. Both times come from the database's clock. */
function waitOf({ run_at: dueAt, locked_at: lockedAt }: Pick<Job, 'run_at' | 'locked_at'>): number {
  return lockedAt ? Math.max(0, (lockedAt.getTime() - dueAt.getTime()) / 1000) : 0
}

/** The pool is small on purpose, so this warning is not logged: jobs wait for vendors and receivers far longer than for the database. */
const poolSizeWarning = /having maxPoolSize/

/** Logs warnings and errors of graphile-worker without payloads, and all its other messages at the level debug. */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, message)
    else if (level === 'warning' && !poolSizeWarning.test(message)) log.warn({}, message)
    else log.debug({}, message)
  })
}
