import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Log } from '../domain/context.ts'

export type Queue = { stop(): Promise<void> }

const pauseMs = 500

/**
 * Runs the job queue until stopped, from when it has been seen to look for jobs. The library remembers a failure of its very first look
 * for good, and gives up for good when it cannot write down the end of a job: such a runner is replaced, while jobs in its hands end.
 * `onPool` hears the name of each pool that is made. Rejects when the database cannot be reached at the start.
 */
export async function runQueue(
  options: Omit<RunnerOptions, 'events'>,
  { onPool, log }: { onPool(poolId: string): void; log: Log },
): Promise<Queue> {
  const runners = new Set<Runner>()
  const stopping = new AbortController()
  let beginning = begin()
  await beginning
  return {
    async stop() {
      stopping.abort()
      await beginning
      await Promise.all([...runners].map(stopped))
    },
  }

  async function begin(): Promise<void> {
    for (;;) {
      const events: WorkerEvents = new EventEmitter()
      events.on('pool:create', ({ workerPool }) => onPool(workerPool.id))
      const looks = firstLook(events)
      const givesUp = once(events, 'pool:gracefulShutdown')
      const runner = await run({ ...options, events })
      runners.add(runner)
      runner.promise.catch(() => undefined).finally(() => runners.delete(runner))
      if (await looks) return void givesUp.then(replace)
      await stopped(runner)
      await pause(pauseMs)
    }
  }

  function replace(): void {
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

/** Stops a runner, or waits for one that is about to. */
async function stopped(runner: Runner): Promise<void> {
  await runner.stop().catch(() => undefined)
  await runner.promise.catch(() => undefined)
}

/** Whether the first look for a job went well. */
function firstLook(events: WorkerEvents): Promise<boolean> {
  return new Promise((resolve) => {
    events.once('worker:getJob:empty', () => resolve(true))
    events.once('job:start', () => resolve(true))
    events.once('worker:getJob:error', () => resolve(false))
  })
}
