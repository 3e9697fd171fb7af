import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log } from '../../domain/context.ts'
import { jobEndWriteMs, makeOrphanedJobSweeper } from './orphanedJobSweeper.ts'

export type Queue = { stop(): Promise<void> }

const pauseMs = 500
const firstFetchTimeoutMs = 5000
/** Jobs get so long to come to a point where another process can go on. */
const defaultStopMs = 9000

/** A runner of the library. One that gave up may never say that it has ended, so its workers and jobs are counted. */
type RunnerEntry = { runner: Runner; state: RunnerState }
type RunnerState = { gaveUp: boolean; poolId: string; workers: number; jobs: number }

export type QueueListener = {
  /** Names the queue in the log. */
  name?: string
  /** A pool was created, which locks jobs under this id. */
  onPool(poolId: string): void
  /** The pool of a replaced runner runs no job any more. */
  onPoolEnd?: ((poolId: string) => void) | undefined
  /** A look found no job. */
  onEmptyFetch?: (() => void) | undefined
  /** Resolves when no job is left that must not be cut; a stop waits for it, however long that takes. */
  drained?: (() => Promise<void>) | undefined
  /** How long a stop waits for jobs in any case. */
  stopMs?: number | undefined
  log: Log
}

/**
 * Runs the job queue until stopped, from when it has been seen to look for jobs. The library remembers a failure of its very first look
 * for good, and gives up for good when it cannot write down the end of a job: such a runner is replaced, while jobs in its hands end.
 * Its pool id stays valid until the last of them has ended: a job that is freed while it runs would run twice. Jobs that it took without
 * hearing of it are freed within seconds. Rejects when the database cannot be reached at the start.
 */
export async function runQueue(
  options: Omit<RunnerOptions, 'events' | 'pgPool'> & { pgPool: Pool },
  listener: QueueListener,
): Promise<Queue> {
  const { name, onPoolEnd, log } = listener
  const runners = new Set<RunnerEntry>()
  const stopping = new AbortController()
  const orphanSweeper = makeOrphanedJobSweeper({ pool: options.pgPool, log })
  let beginning = begin()
  await beginning.catch((error: unknown) => {
    orphanSweeper.stop()
    throw error
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
      const looks = firstFetch(events)
      const poolShutdown = once(events, 'pool:gracefulShutdown')
      const entry: RunnerEntry = { runner: await run({ ...options, events }), state }
      runners.add(entry)
      if (await looks) return void poolShutdown.then(() => replace(entry))
      await ended(entry, { stopMs: listener.stopMs })
      void retire(entry)
      await pause(pauseMs)
    }
  }

  function replace(entry: RunnerEntry): void {
    entry.state.gaveUp = true
    if (stopping.signal.aborted) return
    log.warn({ runner: name }, 'the job queue gave up and is begun anew')
    void retire(entry)
    beginning = startWithRetries(begin, { log, signal: stopping.signal })
  }

  /** Until its last job has ended and the end is written, or can no longer be. */
  async function retire(entry: RunnerEntry): Promise<void> {
    await waitUntilIdle(entry.state, stopping.signal)
    await pause(jobEndWriteMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) return
    runners.delete(entry)
    orphanSweeper.removePool(entry.state.poolId)
    onPoolEnd?.(entry.state.poolId)
  }
}

async function startWithRetries(begin: () => Promise<void>, { log, signal }: { log: Log; signal: AbortSignal }): Promise<void> {
  while (!signal.aborted) {
    try {
      return await begin()
    } catch (error) {
      log.warn({ error }, 'the job queue waits for the database')
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

type Ending = Pick<QueueListener, 'drained' | 'stopMs'>

async function ended({ runner, state }: RunnerEntry, { drained, stopMs = defaultStopMs }: Ending): Promise<void> {
  const late = new AbortController()
  const stopped = state.gaveUp ? waitUntilIdle(state, late.signal) : runner.stop().catch(() => undefined)
  const wait = (milliseconds: number) => pause(milliseconds, undefined, { signal: late.signal }).catch(() => undefined)
  const isLate = Promise.all([wait(stopMs), drained?.().then(() => wait(jobEndWriteMs))])
  await Promise.race([stopped, isLate])
  late.abort()
}

function eventsFor({ onPool, onEmptyFetch }: Pick<QueueListener, 'onPool' | 'onEmptyFetch'>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => onPool(workerPool.id))
  if (onEmptyFetch) for (const vain of ['worker:getJob:empty', 'worker:getJob:error'] as const) events.on(vain, onEmptyFetch)
  return events
}

/** A worker that has not stopped may still get a job. */
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

/** Whether the first look for a job went well. A local queue does not tell of a look that failed. */
function firstFetch(events: WorkerEvents): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), firstFetchTimeoutMs).unref()
    events.once('localQueue:getJobs:complete', () => resolve(true))
    events.once('worker:getJob:empty', () => resolve(true))
    events.once('job:start', () => resolve(true))
    events.once('worker:getJob:error', () => resolve(false))
  })
}
