import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import type { Tasks } from '../../domain/queue.ts'
import type { FetchThrottle } from './fetchThrottle.ts'
import { type JobContext, type JobServices, jobContext } from './jobContext.ts'

type Handler<Name extends keyof Tasks> = (context: JobContext, payload: Tasks[Name]) => Promise<void>

/**
 * Makes a queue task of a handler. Each job gets a context of its own, and the shared slots of this process. With `fetchThrottle`, taking
 * a slot also counts for the throttle of the runner.
 */
export function jobHandlers(jobs: JobServices, slots: SharedSlots, fetchThrottle?: FetchThrottle) {
  return <Name extends keyof Tasks>(handler: Handler<Name>) =>
    async (payload: Tasks[Name], helpers?: { job: { id: string; locked_by: string | null } }): Promise<void> => {
      // A job that starts exists, even if it was removed before a failover.
      const job = helpers && { id: Number(helpers.job.id), poolId: helpers.job.locked_by ?? '' }
      if (job) jobs.removedJobs.delete(job.id)
      const own = fetchThrottle?.forJob()
      try {
        await handler(jobContext(jobs, own?.slots ?? slots, job), payload)
      } finally {
        own?.end()
      }
    }
}
