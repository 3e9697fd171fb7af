import type { SharedSlots } from '../concurrency/sharedSlots.ts'
import { fillStartLine } from '../domain/generations/startLines.ts'
import { handSlotsOn } from '../domain/vendors/handSlotsOn.ts'
import { cancelAtProvider } from './cancelAtProvider.ts'
import { finaliseGeneration } from './finaliseGeneration.ts'
import type { JobServices } from './jobContext.ts'
import { jobHandlers } from './jobHandlers.ts'
import { looksForJobs } from './looksForJobs.ts'
import { pollGeneration } from './pollGeneration.ts'
import type { RunnerOptions } from './startRunner.ts'
import { submitGeneration } from './submitGeneration.ts'

/** The runners of the queue `generations`: every step of the work, and whose turn at a vendor is next. */
export function generationRunners(jobs: JobServices, { slots, concurrency }: { slots: SharedSlots; concurrency: number }): RunnerOptions[] {
  const looks = looksForJobs(jobs, slots)
  const on = jobHandlers(jobs, slots, looks)
  const onTurn = jobHandlers(jobs, slots)
  return [
    {
      name: 'work',
      jobsAtOnce: concurrency,
      tasks: {
        submitGeneration: on<'submitGeneration'>(submitGeneration),
        pollGeneration: on<'pollGeneration'>(pollGeneration),
        finaliseGeneration: on<'finaliseGeneration'>(finaliseGeneration),
        cancelAtProvider: on<'cancelAtProvider'>(cancelAtProvider),
      },
      looks,
      drains: true,
    },
    {
      // Apart: where all of the work hangs, its end must still give room to others.
      name: 'turns',
      jobsAtOnce: 1,
      tasks: {
        handSlotsOn: onTurn<'handSlotsOn'>((context, { providerId }) => handSlotsOn(context, providerId)),
        fillStartLine: onTurn<'fillStartLine'>(fillStartLine),
      },
    },
  ]
}
