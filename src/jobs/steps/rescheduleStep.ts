import { type RescheduleOptions, rescheduleClaimedStep } from '../../domain/generations/steps/rescheduleClaimedStep.ts'
import { type Step, secondsLeft } from './step.ts'

/** Queues the next run of a step that has gone well so far. `seen`: the progress that the provider reported. */
export async function rescheduleStep(step: Step, delaySeconds: number, seen?: RescheduleOptions['seen']): Promise<void> {
  await reschedule(step, { task: step.task, delaySeconds, isRetry: false, ...(seen ? { seen } : {}) })
}

/** Queues a run that counts as a retry, after `secondsMax` at most. The last one runs at the deadline. */
export async function retryStep(
  step: Step,
  { secondsMax = backoffSecondsMax, brokenSince }: { secondsMax?: number; brokenSince?: string | undefined } = {},
): Promise<void> {
  const delaySeconds = Math.min(backoffSeconds(step), secondsMax, secondsLeft(step))
  await reschedule(step, { task: step.task, delaySeconds, isRetry: true, brokenSince })
}

async function reschedule(step: Step, options: RescheduleOptions): Promise<void> {
  const { context, claim } = step
  leaveJobTo(step, (await rescheduleClaimedStep(context, claim, { ...options, job: context.job }))?.job)
}

/** Keeps the queue from completing the job of this step, which became the next run. */
export function leaveJobTo(step: Step, nextRun: number | undefined): void {
  if (nextRun === undefined) return
  step.context.removedJobs.add(nextRun)
  step.isJobRemoved = true
}

const backoffSecondsMax = 30

/** The pause before a retry: doubles from 1 s to 30 s. */
export function backoffSeconds({ claim }: Step): number {
  return Math.min(backoffSecondsMax, 2 ** claim.tries)
}
