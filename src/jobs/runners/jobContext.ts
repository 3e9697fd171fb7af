import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import type { RemovedJobs } from '../../database/queue/removedJobs.ts'
import { type Context, contextFor, type Services } from '../../domain/context.ts'
import type { QueuedJob } from '../../domain/generations/steps/rescheduleClaimedStep.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import type { LocalPolls } from '../steps/localPolls.ts'
import type { OpenSubmits } from '../steps/openSubmits.ts'

/** The services of a process for its jobs. `shutdown` aborts when the process must stop. */
export type JobServices = {
  services: Services
  providers: ProviderRegistry
  shutdown: AbortSignal
  openSubmits: OpenSubmits
  removedJobs: RemovedJobs
  /** Absent: the queue schedules every poll. */
  localPolls?: LocalPolls
}

/** The context of a job: that of the system actor, the providers, the shared slots of this process, and the job in the queue. */
export type JobContext = Context &
  Omit<JobServices, 'services'> & {
    slots: SharedSlots
    job?: QueuedJob | undefined
    /** The limit of one output; lower in tests. */
    outputBytesMax?: number
  }

/** Makes a context for one job. Jobs must not share an entity manager. */
export function jobContext({ services, ...jobs }: JobServices, slots: SharedSlots, job?: QueuedJob): JobContext {
  return { ...contextFor(services, { kind: 'system' }), ...jobs, slots, job }
}
