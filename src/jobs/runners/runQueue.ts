import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log } from '../../domain/context.ts'
import { refusalOf } from '../../domain/sql.ts'
import { makeOrphanedJobSweeper } from './orphanedJobSweeper.ts'
import { type QueueLimits, queueLimits } from './queueLimits.ts'

export type Queue = { stop(): Promise<void> }

/** How long a stop waits for running jobs. Another process continues them. */
const defaultStopMs = 9000

/** A runner of the library. After it gave up it may never report its end, so we count its workers and jobs. */
type RunnerEntry = { runner: Runner; state: RunnerState }
type RunnerState = { gaveUp: boolean; poolId: string; workers: number; jobs: number }

export type QueueListener = {
  /** The name of the queue in the log. */
  name?: string
  /** A pool was created. It locks jobs under this id. */
  onPool(poolId: string): void
  /** The last job of a replaced runner's pool has ended. */
  onPoolEnd?: ((poolId: string) => void) | undefined
  /** A fetch returned no job, or failed. */
  onEmptyFetch?: (() => void) | undefined
  /** Resolves when no running job must be waited for. A stop waits for it without a limit. */
  drained?: (() => Promise<void>) | undefined
  /** How long a stop waits for other jobs. */
  stopMs?: number | undefined
  /** Lower in tests. */
  limits?: QueueLimits
  log: Log
}

/**
 * Runs the job queue until stopped. Resolves after the first successful fetch, or at once when the database is unreachable: the queue then
 * connects later, as after an outage. Rejects with any other error of the start. A runner of the library stops working when its first fetch
 * fails, or when it cannot record the end of a job. Such a runner is replaced. Its pool id stays valid until its last job has ended, since a
 * job that is unlocked while it runs would run twice. Orphaned jobs are unlocked within seconds.
 */
export async function runQueue(
  options: Omit<RunnerOptions, 'events' | 'pgPool'> & { pgPool: Pool },
  listener: QueueListener,
): Promise<Queue> {
  const { name, onPoolEnd, log, limits = queueLimits } = listener
  const runners = new Set<RunnerEntry>()
  const stopping = new AbortController()
  const orphanSweeper = makeOrphanedJobSweeper({ pool: options.pgPool, log, limits })
  let beginning = begin()
  await beginning.catch((error: unknown) => {
    if (refusalOf(error)?.code !== 'service_unavailable') {
      orphanSweeper.stop()
      throw error
    }
    log.warn({ runner: name, error }, 'the job queue waits for the database')
    beginning = startWithRetries(begin, { log, limits, signal: stopping.signal })
  })
  return {
    async stop() {
      stopping.abort()
      orphanSweeper.stop()
      await beginning
      await Promise.all([...runners].map((entry) => ended(entry, listener)))
    },
  }

  async function begin(): Promise<void> {
    for (;;) {
      const events = eventsFor(listener)
      const state = trackState(events)
      orphanSweeper.trackRunner(events)
      const fetched = firstFetch(events, limits)
      const poolShutdown = once(events, 'pool:gracefulShutdown')
      const entry: RunnerEntry = { runner: await run({ ...options, events }), state }
      runners.add(entry)
      if (await fetched) return void poolShutdown.then(() => replace(entry))
      await ended(entry, { stopMs: listener.stopMs })
      void retire(entry)
      await pause(limits.restartPauseMs)
    }
  }

  function replace(entry: RunnerEntry): void {
    entry.state.gaveUp = true
    if (stopping.signal.aborted) return
    log.warn({ runner: name }, 'the job queue gave up and is restarted')
    void retire(entry)
    beginning = startWithRetries(begin, { log, limits, signal: stopping.signal })
  }

  /** Waits until its last job has ended and had time to record its end. */
  async function retire(entry: RunnerEntry): Promise<void> {
    await waitUntilIdle(entry.state, stopping.signal)
    await pause(limits.jobEndWriteMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) return
    runners.delete(entry)
    orphanSweeper.removePool(entry.state.poolId)
    onPoolEnd?.(entry.state.poolId)
  }
}

type Retries = { log: Log; limits: QueueLimits; signal: AbortSignal }

async function startWithRetries(begin: () => Promise<void>, { log, limits, signal }: Retries): Promise<void> {
  while (!signal.aborted) {
    try {
      return await begin()
    } catch (error) {
      log.warn({ error }, 'the job queue waits for the database')
      await pause(limits.restartPauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

type Ending = Pick<QueueListener, 'drained' | 'stopMs' | 'limits'>

async function ended({ runner, state }: RunnerEntry, { drained, stopMs = defaultStopMs, limits = queueLimits }: Ending): Promise<void> {
  const late = new AbortController()
  const stopped = state.gaveUp ? waitUntilIdle(state, late.signal) : runner.stop().catch(() => undefined)
  const wait = (milliseconds: number) => pause(milliseconds, undefined, { signal: late.signal }).catch(() => undefined)
  const isLate = Promise.all([wait(stopMs), drained?.().then(() => wait(limits.jobEndWriteMs))])
  await Promise.race([stopped, isLate])
  late.abort()
}

function eventsFor({ onPool, onEmptyFetch }: Pick<QueueListener, 'onPool' | 'onEmptyFetch'>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => onPool(workerPool.id))
  if (onEmptyFetch) for (const event of ['worker:getJob:empty', 'worker:getJob:error'] as const) events.on(event, onEmptyFetch)
  return events
}

/** Waits for workers too: a worker that has not stopped may still receive a job. */
async function waitUntilIdle(state: RunnerState, signal: AbortSignal): Promise<void> {
  while ((state.jobs > 0 || state.workers > 0) && !signal.aborted) await pause(20)
}

function trackState(events: WorkerEvents): RunnerState {
  const state: RunnerState = { gaveUp: false, poolId: '', workers: 0, jobs: 0 }
  events.on('pool:create', ({ workerPool }) => {
    state.poolId = workerPool.id
  })
  events.on('worker:create', () => void state.workers++)
  events.on('worker:stop', () => void state.workers--)
  events.on('job:start', () => void state.jobs++)
  events.on('job:complete', () => void state.jobs--)
  return state
}

/** Whether the first fetch succeeded. A local queue emits no event for a failed fetch, hence the timeout. */
function firstFetch(events: WorkerEvents, { firstFetchTimeoutMs }: QueueLimits): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), firstFetchTimeoutMs).unref()
    events.once('localQueue:getJobs:complete', () => resolve(true))
    events.once('worker:getJob:empty', () => resolve(true))
    events.once('job:start', () => resolve(true))
    events.once('worker:getJob:error', () => resolve(false))
  })
}
