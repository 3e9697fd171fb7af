import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'

const pauseMs = 500

/**
 * Runs the job queue, once it has been seen to look for jobs. The library remembers a failure of its very first look for good and would
 * never find a job again, so a runner whose first look fails is replaced. `onPool` hears the name of each pool that is made.
 */
export async function runQueue(options: Omit<RunnerOptions, 'events'>, onPool: (poolId: string) => void): Promise<Runner> {
  for (;;) {
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool }) => onPool(workerPool.id))
    const looks = firstLook(events)
    const runner = await run({ ...options, events })
    if (await looks) return runner
    await runner.stop()
    await pause(pauseMs)
  }
}

/** Whether the first look for a job went well. */
function firstLook(events: WorkerEvents): Promise<boolean> {
  return new Promise((resolve) => {
    events.once('worker:getJob:empty', () => resolve(true))
    events.once('job:start', () => resolve(true))
    events.once('worker:getJob:error', () => resolve(false))
  })
}
