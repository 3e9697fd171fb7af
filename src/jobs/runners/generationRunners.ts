import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import { fillStartLine } from '../../domain/generations/start/startQueues.ts'
import { grantVendorSlots } from '../../domain/vendors/grantVendorSlots.ts'
import { cancelAtProvider } from '../steps/cancelAtProvider.ts'
import { finaliseGeneration } from '../steps/finaliseGeneration.ts'
import { makeLocalPolls } from '../steps/localPolls.ts'
import { pollGeneration } from '../steps/pollGeneration.ts'
import { stepJob } from '../steps/stepJob.ts'
import { submitGeneration } from '../steps/submitGeneration.ts'
import { makeFetchThrottle } from './fetchThrottle.ts'
import type { JobServices } from './jobContext.ts'
import { jobHandlers } from './jobHandlers.ts'
import type { RunnerOptions } from './startRunner.ts'

const steps = { submitGeneration, pollGeneration, finaliseGeneration }

/** The most local polls of a process. Each keeps a timer, a subscription and a job slot of the runner. */
const localPollsMax = 400

/** The runners of the queue `generations`: the steps, and the assignment of free slots. */
export function generationRunners(jobs: JobServices, { slots, concurrency }: { slots: SharedSlots; concurrency: number }): RunnerOptions[] {
  const fetchThrottle = makeFetchThrottle(jobs, slots)
  const on = jobHandlers({ ...jobs, localPolls: makeLocalPolls({ max: localPollsMax, concurrency }) }, slots, fetchThrottle)
  const onAssignment = jobHandlers(jobs, slots)
  return [
    {
      name: 'work',
      jobsAtOnce: 2 * concurrency + localPollsMax,
      tasks: {
        submitGeneration: on<'submitGeneration'>(stepJob('submitGeneration', steps)),
        pollGeneration: on<'pollGeneration'>(stepJob('pollGeneration', steps)),
        finaliseGeneration: on<'finaliseGeneration'>(stepJob('finaliseGeneration', steps)),
        cancelAtProvider: on<'cancelAtProvider'>(cancelAtProvider),
      },
      fetchThrottle,
      drains: true,
    },
    {
      // A runner of its own, so that slots are assigned while all steps hang.
      name: 'slot assignments',
      jobsAtOnce: 1,
      tasks: {
        handSlotsOn: onAssignment<'handSlotsOn'>((context, { providerId }) => grantVendorSlots(context, providerId)),
        fillStartLine: onAssignment<'fillStartLine'>(fillStartLine),
      },
    },
  ]
}
