import { type Job, Logger, type Task } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log, Services } from '../../domain/context.ts'
import type { FetchThrottle } from './fetchThrottle.ts'
import type { JobServices } from './jobContext.ts'
import { runWithJobInfo } from './jobSpans.ts'
import { type Queue, runQueue } from './runQueue.ts'

/**
 * A runner has job slots of its own, so jobs that hang in one runner do not delay jobs of another. `fetchThrottle` limits its fetches to
 * jobs that can get a shared slot.
 */
export type RunnerOptions = {
  name: string
  jobsAtOnce: number
  tasks: Record<string, (payload: never) => Promise<void>>
  fetchThrottle?: FetchThrottle
  /** A stop waits for open submits, whose answers would be lost. */
  drains?: true
  /**
   * Fetches jobs for all slots at once instead of one per slot: for many short jobs. Fetched jobs wait in this process for a slot, for
   * some seconds at most, and other processes cannot take them.
   */
  prefetches?: boolean
  pollMs?: number
}

/** A fallback: normally the poller wakes a slot when a job is due. */
const defaultPollMs = 5000
const prefetchTtlMs = 5000

/** Receives the ids of the pools under which a process locks jobs: when a pool is created, and after its last job. */
export type PoolListener = { onPool(poolId: string): void; onPoolEnd?(poolId: string): void }

/** `drained` resolves when no submit is open. `stopMs`: how long a stop waits for other jobs. */
export type RunnerResources = PoolListener & { pool: Pool; drained?: () => Promise<void>; stopMs?: number | undefined }

/** Runs the jobs of `tasks` until stopped. */
export async function startRunner(
  { services }: Pick<JobServices, 'services'>,
  { name, jobsAtOnce, tasks, fetchThrottle, drains, prefetches = false, pollMs = defaultPollMs }: RunnerOptions,
  { pool, onPool, onPoolEnd, drained, stopMs }: RunnerResources,
): Promise<Queue> {
  const { log } = services
  const queue = {
    pgPool: pool,
    taskList: Object.fromEntries(Object.entries(tasks).map(([task, work]) => [task, redactErrors(services, task, work)])),
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

/** The queue logs and stores error messages, which may contain text of users. Replaces them by a message of ours. */
function redactErrors({ log, metrics }: Pick<Services, 'log' | 'metrics'>, task: string, work: (payload: never) => Promise<void>): Task {
  return async (payload, { job }) => {
    const startedAt = performance.now()
    const record = (outcome: 'done' | 'failed') => {
      metrics.job({ task, waitSeconds: waitOf(job), seconds: (performance.now() - startedAt) / 1000, outcome })
    }
    try {
      await runWithJobInfo({ task, waitMs: Math.round(waitOf(job) * 1000) }, () => work(payload as never))
      record('done')
    } catch (error) {
      record('failed')
      log.error({ job: task, error }, 'a job failed')
      throw new Error(`${task} failed`, { cause: error })
    }
  }
}

/** Seconds between the times at which the job was due and was locked, both of the database's clock. */
function waitOf({ run_at: dueAt, locked_at: takenAt }: Pick<Job, 'run_at' | 'locked_at'>): number {
  return takenAt ? Math.max(0, (takenAt.getTime() - dueAt.getTime()) / 1000) : 0
}

/** Many jobs share few connections on purpose: they wait for vendors and receivers far longer than for the database. */
const poolSizeWarning = /having maxPoolSize/

/** Passes warnings and errors of the queue to our log without payloads. Messages about single jobs become debug messages. */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, message)
    else if (level === 'warning' && !poolSizeWarning.test(message)) log.warn({}, message)
    else log.debug({}, message)
  })
}
