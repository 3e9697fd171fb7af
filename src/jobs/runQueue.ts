import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log } from '../domain/context.ts'
import { jobsInHand } from './jobsInHand.ts'

export type Queue = { stop(): Promise<void> }

const pauseMs = 500
const firstLookMs = 5000
/** Jobs get so long to come to a point where another process can go on. */
const stopMs = 9000

/** A runner of the library. One that gave up may never say that it has ended, so its jobs are counted. */
type Held = { runner: Runner; state: HeldState }
type HeldState = { gaveUp: boolean; jobs: number }

/**
 * Runs the job queue until stopped, from when it has been seen to look for jobs. The library remembers a failure of its very first look
 * for good, and gives up for good when it cannot write down the end of a job: such a runner is replaced, while jobs in its hands end.
 * Jobs that it took without hearing of it are freed within seconds.
 * `onPool` hears the name of each pool that is made, `onVainLook` of each look that found no job. Rejects when the database cannot be reached at the start.
 */
export async function runQueue(
  options: Omit<RunnerOptions, 'events' | 'pgPool'> & { pgPool: Pool },
  { onPool, onVainLook, log }: { onPool(poolId: string): void; onVainLook?: (() => void) | undefined; log: Log },
): Promise<Queue> {
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
      await Promise.all([...runners].map(ended))
    },
  }

  async function begin(): Promise<void> {
    for (;;) {
      const events: WorkerEvents = new EventEmitter()
      events.on('pool:create', ({ workerPool }) => onPool(workerPool.id))
      if (onVainLook) for (const vain of ['worker:getJob:empty', 'worker:getJob:error'] as const) events.on(vain, onVainLook)
      inHand.follow(events)
      const looks = firstLook(events)
      const givesUp = once(events, 'pool:gracefulShutdown')
      const state: HeldState = { gaveUp: false, jobs: 0 }
      events.on('job:start', () => void state.jobs++)
      events.on('job:complete', () => void state.jobs--)
      const held: Held = { runner: await run({ ...options, events }), state }
      runners.add(held)
      if (await looks) return void givesUp.then(() => replace(state))
      await ended(held)
      runners.delete(held)
      await pause(pauseMs)
    }
  }

  function replace(state: HeldState): void {
    state.gaveUp = true
    if (stopping.signal.aborted) return
    log.warn({}, 'the job queue gave up and is begun anew')
    beginning = beginAgain()
  }

  async function beginAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await begin()
      } catch (error) {
        log.warn({ error }, 'the job queue waits for the database')
        await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
}

async function ended({ runner, state }: Held): Promise<void> {
  const late = new AbortController()
  const stopped = state.gaveUp ? withoutJobs(state, late.signal) : runner.stop().catch(() => undefined)
  await Promise.race([stopped, pause(stopMs, undefined, { signal: late.signal })])
  late.abort()
}

async function withoutJobs(state: HeldState, signal: AbortSignal): Promise<void> {
  while (state.jobs > 0 && !signal.aborted) await pause(20)
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
