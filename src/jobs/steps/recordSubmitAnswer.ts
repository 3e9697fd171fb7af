import type { Failure } from '../../contract/failures/failures.ts'
import type { Recorded } from '../../domain/generations/steps/recordOutputs.ts'
import { recordRefusedSubmit, recordSubmitted as recordSubmittedWork } from '../../domain/generations/steps/recordSubmit.ts'
import { NotSent } from '../../network/trustedRequest.ts'
import { type Submitted, UnfitOutput } from '../../providers/provider.ts'
import { failAndCancel, failGeneration } from './failGeneration.ts'
import { planLocalPoll } from './localPoll.ts'
import { recordStepOutputs, removeRefusedOutput } from './recordStepOutputs.ts'
import { backoffSeconds, leaveJobTo, rescheduleStep, retryStep } from './rescheduleStep.ts'
import { isPastDeadline, type Step, secondsLeft } from './step.ts'
import { switchToFallback } from './switchToFallback.ts'

/** `interrupted`: a shutdown ended the call, another process repeats it. `unwanted`: the generation has ended. */
export type SubmitAnswer = Submitted | { kind: 'interrupted' } | { kind: 'unwanted' } | { kind: 'unanswered'; error: Error }

/** The provider may have the work, and the answer is lost. */
export const submitUnknown: Failure = { code: 'internal_error', reason: 'submit_unknown' }

/** Calls of `submit` for a provider that recognises repeats, when it does not answer. */
const attemptsMax = 5

/** The shortest pause between two submits, also when the vendor asks for a shorter one. */
const backoffSecondsMin = 1

/** Records the answer to a submit. Safe to repeat. */
export async function recordSubmitAnswer(step: Step, answer: SubmitAnswer): Promise<Recorded> {
  switch (answer.kind) {
    case 'unwanted':
      return 'lost'
    case 'done':
      return recordStepOutputs(step, answer)
    case 'interrupted':
      await rescheduleStep(step, 0)
      break
    case 'unanswered':
      await handleUnanswered(step, answer.error)
      break
    case 'failed':
      await failRefused(step, answer.failure)
      break
    case 'busy':
      await removeRefusedOutput(step)
      await waitForCapacity(step, 'model_at_capacity', answer.retryAfterMs)
      break
    case 'job':
      return recordSubmitted(step, answer)
  }
  return 'queued'
}

/** Records the handle and continues with the first poll. The job waits for it, or the queue schedules it. */
export async function recordSubmitted(step: Step, job: Extract<Submitted, { kind: 'job' }>): Promise<Recorded> {
  const { context, claim, provider } = step
  const { handle, state, position, pollAfterMs } = job
  const isBegun = state === undefined ? !provider.capabilities.reportsQueue : state === 'running'
  const delaySeconds = pollAfterMs / 1000
  const next = planLocalPoll(step, delaySeconds) ? { delaySeconds: 0 } : { delaySeconds, job: context.job }
  const submitted = { handle, isBegun, position, ...next }
  const { recorded, job: released } = await recordSubmittedWork(context, claim, submitted)
  leaveJobTo(step, released)
  return recorded
}

/** Takes the intent back. The provider was not called. */
export async function recordNotSubmitted({ context, claim }: Step): Promise<void> {
  await recordRefusedSubmit(context, claim, { delaySeconds: backoffSecondsMin })
}

async function handleUnanswered(step: Step, error: Error): Promise<void> {
  const { claim, provider } = step
  if (error instanceof UnfitOutput) await failGeneration(step, error.failure)
  else if (error instanceof NotSent) await waitForCapacity(step, 'model_offline')
  else if (!provider.capabilities.idempotentSubmit) await failAndCancel(step, submitUnknown)
  else if (isPastDeadline(step)) await failAndCancel(step, { code: 'timeout', reason: 'deadline_exceeded' })
  else if (claim.tries + 1 >= attemptsMax) await failAndCancel(step, { code: 'provider_error', reason: 'provider_failed' })
  else await retryStep(step)
}

/** The provider has certainly not taken the work. A fallback variant takes it, or it waits here without a charge until the deadline. */
async function waitForCapacity(step: Step, reason: 'model_at_capacity' | 'model_offline', retryAfterMs?: number): Promise<void> {
  if (!isPastDeadline(step) && (await switchToFallback(step))) return
  const { context, claim } = step
  const pause = retryAfterMs === undefined ? backoffSeconds(step) : Math.max(backoffSecondsMin, retryAfterMs / 1000)
  await recordRefusedSubmit(context, claim, { reason, delaySeconds: Math.min(pause, secondsLeft(step)) })
  if (!isPastDeadline(step)) return
  await failRefused(step, { code: 'model_unavailable', reason })
}

/** The provider refused this submit, but an earlier one of the same attempt may have arrived. */
async function failRefused(step: Step, failure: Failure): Promise<void> {
  if (step.claim.intentAt === null) await failGeneration(step, failure)
  else await failAndCancel(step, failure)
}
