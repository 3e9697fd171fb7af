import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import { removeObject, removeOrphans } from '../maintenance/removeObject.ts'
import { inspectFile } from '../steps/inspectFile.ts'
import type { JobServices } from './jobContext.ts'
import { jobHandlers } from './jobHandlers.ts'
import type { RunnerOptions } from './startRunner.ts'

/** More than the inspector processes, so that files of several owners compete for them. */
const inspectionsAtOnce = 10
const removalsAtOnce = 4

/** The runners of the queue `files`: inspections of large uploads, and removals of deleted content. */
export function fileRunners(jobs: JobServices, { slots }: { slots: SharedSlots }): RunnerOptions[] {
  const on = jobHandlers(jobs, slots)
  return [
    { name: 'inspections', jobsAtOnce: inspectionsAtOnce, tasks: { inspectFile: on<'inspectFile'>(inspectFile) } },
    {
      // A runner of its own, so that many or slow removals do not delay inspections.
      name: 'removals',
      jobsAtOnce: removalsAtOnce,
      tasks: { removeObject: on<'removeObject'>(removeObject), removeOrphans: on<'removeOrphans'>(removeOrphans) },
    },
  ]
}
