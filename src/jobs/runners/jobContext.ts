import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import { type Context, contextFor, type Services } from '../../domain/context.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import type { OpenSubmits } from '../steps/openSubmits.ts'

/** What the jobs of a process stand on; `shutdown` aborts when the process is told to stop. */
export type JobServices = { services: Services; providers: ProviderRegistry; shutdown: AbortSignal; openSubmits: OpenSubmits }

/** What a job works with: a context in our own name, who makes things, and the slots of this process that are shared among them. */
export type JobContext = Context & Omit<JobServices, 'services'> & { slots: SharedSlots }

/** One for each job, since an entity manager is not to be shared. */
export function jobContext({ services, ...jobs }: JobServices, slots: SharedSlots): JobContext {
  return { ...contextFor(services, { kind: 'system' }), ...jobs, slots }
}
