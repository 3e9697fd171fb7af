import { type Context, contextFor, type Services } from '../domain/context.ts'
import type { ProviderRegistry } from '../providers/registry.ts'

/** What every job works with; `shutdown` aborts when the process is told to stop. */
export type JobServices = { services: Services; providers: ProviderRegistry; shutdown: AbortSignal }

/** A context in the name of our own jobs. */
export function jobContext({ services }: JobServices): Context {
  return contextFor(services, { kind: 'system' })
}
