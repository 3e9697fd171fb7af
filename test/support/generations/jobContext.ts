import { makeSharedSlots, type SharedSlots } from '../../../src/concurrency/sharedSlots.ts'
import { makeRemovedJobs } from '../../../src/database/queue/removedJobs.ts'
import type { Services } from '../../../src/domain/context.ts'
import { type JobContext, jobContext } from '../../../src/jobs/runners/jobContext.ts'
import { openSubmits as makeOpenSubmits, type OpenSubmits } from '../../../src/jobs/steps/openSubmits.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'

/** The context of a job, with only the given providers. */
export function aJobContext(
  services: Services,
  options: { providers?: Provider[]; shutdown?: AbortSignal; slots?: SharedSlots; openSubmits?: OpenSubmits } = {},
): JobContext {
  const { providers = [], shutdown = new AbortController().signal, slots = makeSharedSlots(40) } = options
  const { openSubmits = makeOpenSubmits('proc_test') } = options
  const removedJobs = makeRemovedJobs()
  return jobContext({ services, providers: makeRegistry(providers), shutdown, openSubmits, removedJobs }, slots)
}
