import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import type { Tasks } from '../../domain/queue.ts'
import type { FetchThrottle } from './fetchThrottle.ts'
import { type JobContext, type JobServices, jobContext } from './jobContext.ts'

type Handler<Name extends keyof Tasks> = (context: JobContext, payload: Tasks[Name]) => Promise<void>

/**
 * Makes a task of the job queue of a handler: each job gets a context of its own, and the slots that this process shares; those of
 * `looks` where its runner looks for no more jobs than there are slots.
 */
export function jobHandlers(jobs: JobServices, slots: SharedSlots, fetchThrottle?: FetchThrottle) {
  return <Name extends keyof Tasks>(handler: Handler<Name>) =>
    async (payload: Tasks[Name]): Promise<void> => {
      const own = fetchThrottle?.forJob()
      try {
        await handler(jobContext(jobs, own?.slots ?? slots), payload)
      } finally {
        own?.over()
      }
    }
}
