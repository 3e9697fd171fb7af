import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import { removeObject } from '../maintenance/removeObject.ts'
import { removeOrphans } from '../maintenance/removeOrphans.ts'
import { inspectFile } from '../steps/inspectFile.ts'
import type { JobServices } from './jobContext.ts'
import { jobHandlers } from './jobHandlers.ts'
import type { RunnerOptions } from './startRunner.ts'

/** More than this process looks at in one moment, so that no single owner is served before the others. */
const inspectionsAtOnce = 10
const removalsAtOnce = 4

/** The runners of the queue `files`: what was too heavy to be looked at while it came in, and content that nobody wants any more. */
export function fileRunners(jobs: JobServices, { slots }: { slots: SharedSlots }): RunnerOptions[] {
  const on = jobHandlers(jobs, slots)
  return [
    { name: 'inspections', jobsAtOnce: inspectionsAtOnce, tasks: { inspectFile: on<'inspectFile'>(inspectFile) } },
    {
      // However much is deleted at once, and however long the storage takes over it, files are looked at.
      name: 'removals',
      jobsAtOnce: removalsAtOnce,
      tasks: { removeObject: on<'removeObject'>(removeObject), removeOrphans: on<'removeOrphans'>(removeOrphans) },
    },
  ]
}
