import { type Job, Logger, type Task } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log, Services } from '../../domain/context.ts'
import type { FetchThrottle } from './fetchThrottle.ts'
import type { JobServices } from './jobContext.ts'
import { runWithJobInfo } from './jobSpans.ts'
import { type Queue, runQueue } from './runQueue.ts'

/**
 * A runner is a set of job slots of its own: what hangs in one never keeps what stands in another from its turn.
 * `looks` says which jobs it leaves to others for now.
 */
export type RunnerOptions = {
  name: string
  jobsAtOnce: number
  tasks: Record<string, (payload: never) => Promise<void>>
  fetchThrottle?: FetchThrottle
  /** A stop waits for submits whose answers would be lost. */
  drains?: true
  /**
   * Takes jobs for all of its slots with one look, instead of one look a slot: for many short ones. Jobs wait here for a slot then, out
   * of reach of other processes, for some seconds at most.
   */
  prefetches?: boolean
  pollMs?: number
}

/** Whoever looks out for jobs wakes slots when there are some; this is for where it fails. */
const defaultPollMs = 5000
const prefetchTtlMs = 5000

/** The ids of the pools under which a process locks jobs: from when one is created, and until it runs no job any more. */
export type PoolListener = { onPool(poolId: string): void; onPoolEnd?(poolId: string): void }

/** `drained` resolves when no submit is open any more; `stopMs` is how long jobs get otherwise. */
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

/** The queue logs and keeps the words of what a job throws, and they may hold what users wrote: ours take their place. */
function redactErrors({ log, metrics }: Pick<Services, 'log' | 'metrics'>, task: string, work: (payload: never) => Promise<void>): Task {
  return async (payload, { job }) => {
    const begunAt = performance.now()
    const tell = (outcome: 'done' | 'failed') => {
      metrics.job({ task, waitSeconds: waitOf(job), seconds: (performance.now() - begunAt) / 1000, outcome })
    }
    try {
      await runWithJobInfo({ task, waitMs: Math.round(waitOf(job) * 1000) }, () => work(payload as never))
      tell('done')
    } catch (error) {
      tell('failed')
      log.error({ job: task, error }, 'a job failed')
      throw new Error(`${task} failed`, { cause: error })
    }
  }
}

/** Both are the database's times. */
function waitOf({ run_at: dueAt, locked_at: takenAt }: Pick<Job, 'run_at' | 'locked_at'>): number {
  return takenAt ? Math.max(0, (takenAt.getTime() - dueAt.getTime()) / 1000) : 0
}

/** Jobs wait for vendors and receivers far longer than for the database, so many share few connections on purpose. */
const poolSizeWarning = /having maxPoolSize/

/** The queue's own words go to our log, without payloads; what it says of every job stays out. */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, message)
    else if (level === 'warning' && !poolSizeWarning.test(message)) log.warn({}, message)
    else log.debug({}, message)
  })
}
