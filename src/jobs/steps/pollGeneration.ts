import { queueStep } from '../../domain/generations/steps/queueStep.ts'
import { recordPoll } from '../../domain/generations/steps/recordPoll.ts'
import type { JobHandle, Poll } from '../../providers/provider.ts'
import { failAndCancel, failGeneration } from './failGeneration.ts'
import { jobSpecOf } from './jobSpec.ts'
import { planLocalPoll } from './localPoll.ts'
import { openStepCall } from './openStepCall.ts'
import { recordStepOutputs, removeStagedOutput } from './recordStepOutputs.ts'
import { rescheduleStep } from './rescheduleStep.ts'
import { retryWrite } from './retryWrite.ts'
import { continueWith, isPastDeadline, type Step, secondsLeft } from './step.ts'

/** The pause before the next poll when the provider did not answer. */
const unansweredPauseSeconds = 5

/**
 * Polls the provider once. Only a verdict of the provider or the deadline ends the work. A poll without an answer is repeated. The last
 * poll comes after the deadline.
 */
export async function pollGeneration(step: Step): Promise<void> {
  const { context, claim } = step
  if (claim.handle === null) return queueStep(context, 'submitGeneration', claim.generation)
  const poll = await callPoll(step, claim.handle as JobHandle)
  switch (poll?.state) {
    case 'succeeded': {
      // Retried, since a vendor may return the links to its results only once.
      const recorded = await retryWrite(context, claim.generation.id, () => recordStepOutputs(step, poll))
      if (recorded === 'lost') await removeStagedOutput(step, poll)
      return continueWith(step, recorded, 'finaliseGeneration')
    }
    case 'failed':
      return failGeneration(step, poll.failure)
    case 'cancelled':
      return failGeneration(step, { code: 'user_cancellation', reason: 'cancelled_upstream' })
    case 'queued':
    case 'running':
    case undefined:
      return isPastDeadline(step) ? failAndCancel(step, { code: 'timeout', reason: 'deadline_exceeded' }) : scheduleNextPoll(step, poll)
  }
}

/** `undefined` when the provider did not answer. */
async function callPoll(step: Step, handle: JobHandle): Promise<Poll | undefined> {
  const { context, claim, provider, variant, unwanted } = step
  try {
    const spec = await jobSpecOf(context, claim, variant)
    using call = openStepCall(step, 'poll', [unwanted, context.shutdown])
    return await call.awaitAnswer(provider.poll(handle, spec, call.context))
  } catch (error) {
    if (!unwanted.aborted && !context.shutdown.aborted) {
      context.log.warn({ generationId: claim.generation.id, provider: provider.id, error }, 'poll did not answer')
    }
    return undefined
  }
}

/** At the deadline at the latest, even if the provider asks for a longer pause. */
async function scheduleNextPoll(step: Step, poll: Extract<Poll, { state: 'queued' | 'running' }> | undefined): Promise<void> {
  const left = secondsLeft(step)
  if (!poll) return rescheduleStep(step, step.context.shutdown.aborted ? 0 : Math.min(unansweredPauseSeconds, left))
  const seen = poll.state === 'queued' ? { isBegun: false, queuePosition: poll.position } : { isBegun: true, progress: poll.progress }
  const seconds = Math.min(poll.pollAfterMs / 1000, left)
  if (!planLocalPoll(step, seconds)) return rescheduleStep(step, seconds, seen)
  continueWith(step, await recordPoll(step.context, step.claim, seen), 'pollGeneration')
}
