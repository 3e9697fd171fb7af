import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log } from '../domain/context.ts'
import { jobEndWriteMs, jobsInHand } from './jobsInHand.ts'

export type Queue = { stop(): Promise<void> }

const pauseMs = 500
const firstLookMs = 5000
/** Jobs get so long to come to a point where another process can go on. */
const usualStopMs = 9000

/** A runner of the library. One that gave up may never say that it has ended, so its workers and jobs are counted. */
type Held = { runner: Runner; state: HeldState }
type HeldState = { gaveUp: boolean; poolId: string; workers: number; jobs: number }

export type QueueListener = {
  /** Names the queue in the log. */
  name?: string
  /** A pool was created, which locks jobs under this id. */
  onPool(poolId: string): void
  /** The pool of a replaced runner runs no job any more. */
  onPoolEnd?: ((poolId: string) => void) | undefined
  /** A look found no job. */
  onVainLook?: (() => void) | undefined
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
  const runners = new Set<Held>()
  const stopping = new AbortController()
  const inHand = jobsInHand({ pool: options.pgPool, log })
  let beginning = begin()
  await beginning.catch((error: unknown) => {
    inHand.stop()
    throw error
  })
  return {
    async stop() {
      stopping.abort()
      inHand.stop()
      await beginning
      await Promise.all([...runners].map((held) => ended(held, listener)))
    },
  }

  async function begin(): Promise<void> {
    for (;;) {
      const events = eventsFor(listener)
      const state = countedState(events)
      inHand.follow(events)
      const looks = firstLook(events)
      const givesUp = once(events, 'pool:gracefulShutdown')
      const held: Held = { runner: await run({ ...options, events }), state }
      runners.add(held)
      if (await looks) return void givesUp.then(() => replace(held))
      await ended(held, { stopMs: listener.stopMs })
      void retire(held)
      await pause(pauseMs)
    }
  }

  function replace(held: Held): void {
    held.state.gaveUp = true
    if (stopping.signal.aborted) return
    log.warn({ runner: name }, 'the job queue gave up and is begun anew')
    void retire(held)
    beginning = untilBegun(begin, { log, signal: stopping.signal })
  }

  /** Until its last job has ended and the end is written, or can no longer be. */
  async function retire(held: Held): Promise<void> {
    await withoutJobs(held.state, stopping.signal)
    await pause(jobEndWriteMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) return
    runners.delete(held)
    inHand.leave(held.state.poolId)
    onPoolEnd?.(held.state.poolId)
  }
}

async function untilBegun(begin: () => Promise<void>, { log, signal }: { log: Log; signal: AbortSignal }): Promise<void> {
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

async function ended({ runner, state }: Held, { drained, stopMs = usualStopMs }: Ending): Promise<void> {
  const late = new AbortController()
  const stopped = state.gaveUp ? withoutJobs(state, late.signal) : runner.stop().catch(() => undefined)
  const wait = (milliseconds: number) => pause(milliseconds, undefined, { signal: late.signal }).catch(() => undefined)
  const isLate = Promise.all([wait(stopMs), drained?.().then(() => wait(jobEndWriteMs))])
  await Promise.race([stopped, isLate])
  late.abort()
}

function eventsFor({ onPool, onVainLook }: Pick<QueueListener, 'onPool' | 'onVainLook'>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => onPool(workerPool.id))
  if (onVainLook) for (const vain of ['worker:getJob:empty', 'worker:getJob:error'] as const) events.on(vain, onVainLook)
  return events
}

/** A worker that has not stopped may still get a job. */
async function withoutJobs(state: HeldState, signal: AbortSignal): Promise<void> {
  while ((state.jobs > 0 || state.workers > 0) && !signal.aborted) await pause(20)
}

function countedState(events: WorkerEvents): HeldState {
  const state: HeldState = { gaveUp: false, poolId: '', workers: 0, jobs: 0 }
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
function firstLook(events: WorkerEvents): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), firstLookMs).unref()
    events.once('localQueue:getJobs:complete', () => resolve(true))
    events.once('worker:getJob:empty', () => resolve(true))
    events.once('job:start', () => resolve(true))
    events.once('worker:getJob:error', () => resolve(false))
  })
}
