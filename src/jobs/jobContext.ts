import type { SharedSlots } from '../concurrency/sharedSlots.ts'
import { type Context, contextFor, type Services } from '../domain/context.ts'
import type { ProviderRegistry } from '../providers/registry.ts'

/** What the jobs of a process stand on; `shutdown` aborts when the process is told to stop. */
export type JobServices = { services: Services; providers: ProviderRegistry; shutdown: AbortSignal }

/** What a job works with: a context in our own name, who makes things, and the slots of this process that are shared among them. */
export type JobContext = Context & { providers: ProviderRegistry; shutdown: AbortSignal; slots: SharedSlots }

/** One for each job, since an entity manager is not to be shared. */
export function jobContext({ services, providers, shutdown }: JobServices, slots: SharedSlots): JobContext {
  return { ...contextFor(services, { kind: 'system' }), providers, shutdown, slots }
}
