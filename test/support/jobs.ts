import { makeSharedSlots, type SharedSlots } from '../../src/concurrency/sharedSlots.ts'
import type { Services } from '../../src/domain/context.ts'
import { type JobContext, jobContext } from '../../src/jobs/jobContext.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { makeRegistry } from '../../src/providers/registry.ts'

/** What a job of the process works with; its only providers are those given. */
export function aJobContext(
  services: Services,
  options: { providers?: Provider[]; shutdown?: AbortSignal; slots?: SharedSlots } = {},
): JobContext {
  const { providers = [], shutdown = new AbortController().signal, slots = makeSharedSlots(40) } = options
  return jobContext({ services, providers: makeRegistry(providers), shutdown }, slots)
}
