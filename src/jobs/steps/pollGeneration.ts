import { queueStep } from '../../domain/generations/steps/queueStep.ts'
import type { StepPayload } from '../../domain/queue.ts'
import type { JobHandle, Poll } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { jobSpecOf } from './jobSpec.ts'
import { recordStepOutputs, removeStagedOutput } from './recordStepOutputs.ts'
import { retryWrite } from './retryWrite.ts'
import { callStepProvider, fail, failAndCancel, isPastDeadline, rescheduleStep, runStep, type Step, secondsLeft } from './step.ts'

/** Before the next look when the provider did not answer this one. */
const unansweredPauseSeconds = 5

/**
 * Looks at the work once. Only a verdict of the provider or the deadline ends it; a look that fails is repeated, and past the deadline
 * the provider is asked one last time.
 */
export async function pollGeneration(context: JobContext, payload: StepPayload): Promise<void> {
  await runStep(context, 'pollGeneration', payload, async (step) => {
    const { claim } = step
    if (claim.handle === null) return queueStep(context, 'submitGeneration', claim.generation)
    const poll = await pollOnce(step, claim.handle as JobHandle)
    switch (poll?.state) {
      case 'succeeded': {
        // Links to results may be given once.
        const isWanted = await retryWrite(step.context, claim.generation.id, () => recordStepOutputs(step, poll))
        return isWanted ? undefined : removeStagedOutput(step, poll)
      }
      case 'failed':
        return fail(step, poll.failure)
      case 'cancelled':
        return fail(step, { code: 'user_cancellation', reason: 'cancelled_upstream' })
      case 'queued':
      case 'running':
      case undefined:
        return isPastDeadline(step) ? failAndCancel(step, { code: 'timeout', reason: 'deadline_exceeded' }) : scheduleNextPoll(step, poll)
    }
  })
}

/** The last look comes at the deadline, however long the provider asks to wait. */
async function scheduleNextPoll(step: Step, poll: Extract<Poll, { state: 'queued' | 'running' }> | undefined): Promise<void> {
  const left = secondsLeft(step)
  if (!poll) return rescheduleStep(step, step.context.shutdown.aborted ? 0 : Math.min(unansweredPauseSeconds, left))
  const seen = poll.state === 'queued' ? { isBegun: false, queuePosition: poll.position } : { isBegun: true, progress: poll.progress }
  return rescheduleStep(step, Math.min(poll.pollAfterMs / 1000, left), seen)
}

async function pollOnce(step: Step, handle: JobHandle): Promise<Poll | undefined> {
  const { context, claim, provider, variant } = step
  try {
    const spec = await jobSpecOf(context, claim, variant)
    return await callStepProvider(step, 'poll', [step.unwanted, context.shutdown], (asked) => provider.poll(handle, spec, asked))
  } catch (error) {
    if (!step.unwanted.aborted && !context.shutdown.aborted) {
      context.log.warn({ generationId: claim.generation.id, provider: provider.id, error }, 'poll did not answer')
    }
    return undefined
  }
}
