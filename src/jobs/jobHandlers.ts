import type { SharedSlots } from '../concurrency/sharedSlots.ts'
import type { Tasks } from '../domain/queue.ts'
import { type JobContext, type JobServices, jobContext } from './jobContext.ts'

type Handler<Name extends keyof Tasks> = (context: JobContext, payload: Tasks[Name]) => Promise<void>

/** Makes a task of the job queue of a handler: each job gets a context of its own, and the slots that this process shares. */
export function jobHandlers(jobs: JobServices, slots: SharedSlots) {
  return <Name extends keyof Tasks>(handler: Handler<Name>) =>
    (payload: Tasks[Name]) =>
      handler(jobContext(jobs, slots), payload)
}
