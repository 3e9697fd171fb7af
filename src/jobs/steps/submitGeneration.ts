import type { Failure } from '../../contract/failures/failures.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { waitForOpenSubmit } from '../../domain/generations/steps/openSubmit.ts'
import { recordIntent, recordRefusedSubmit, recordSubmitted } from '../../domain/generations/steps/recordSubmit.ts'
import type { StepPayload } from '../../domain/queue.ts'
import { breakersOfAttempt } from '../../domain/vendors/breakersOfAttempt.ts'
import { NotSent } from '../../network/trustedRequest.ts'
import { type JobHandle, type JobSpec, type Submitted, UnfitOutput } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { jobSpecOf } from './jobSpec.ts'
import { recordStepOutputs, removeStagedOutput } from './recordStepOutputs.ts'
import { settleSubmit } from './settleSubmit.ts'
import {
  backoffSeconds,
  callStepProvider,
  fail,
  failAndCancel,
  isPastDeadline,
  rescheduleStep,
  retryStep,
  runStep,
  type Step,
  secondsLeft,
} from './step.ts'
import { switchToFallback } from './switchToFallback.ts'

/** How often a provider that knows repeats is asked when it does not answer. */
const attemptsMax = 5

/** Until a job looks again whether another one has written the answer that it awaits. */
const openSubmitPauseSeconds = 5

/**
 * Hands the work to the provider, once: queued → running when the provider has begun it or cannot say when it will. The intent is written
 * right before the call and the answer after it; when a process died between the two, the work is handed over again only to a provider
 * that recognises the repeat by its idempotency key. Another job waits for the answer as long as anybody may have it.
 */
export async function submitGeneration(context: JobContext, payload: StepPayload): Promise<void> {
  await runStep(context, 'submitGeneration', payload, async (step) => {
    const { claim, provider } = step
    if (claim.handle !== null) {
      await keep(step, { kind: 'job', handle: claim.handle as JobHandle, state: 'queued', pollAfterMs: 0 })
      return
    }
    if (claim.intentAt !== null && !provider.capabilities.idempotentSubmit) return awaitOpenSubmit(step)
    if (claim.intentAt === null && isPastDeadline(step)) return failNeverSubmitted(step, payload.refused)
    const spec = await readSpec(step)
    if (!spec) return
    const isOver = context.openSubmits.begin(claim.generation.id)
    try {
      await submitWork(step, spec)
    } finally {
      isOver()
    }
  })
}

async function awaitOpenSubmit(step: Step): Promise<void> {
  const { context, claim } = step
  const { processId, has } = context.openSubmits
  const options = { processId, isOwnSubmit: has(claim.generation.id), delaySeconds: openSubmitPauseSeconds }
  if (!(await waitForOpenSubmit(context, claim, options))) await failAndCancel(step, submitUnknown, { ours: true })
}

async function submitWork(step: Step, spec: JobSpec): Promise<void> {
  const { context, claim, provider } = step
  if (context.shutdown.aborted) return rescheduleStep(step, 0)
  const intent = await recordIntent(context, claim, provider).catch((error: unknown) => recordNotSubmitted(step, error))
  if (intent === 'locked') return waitForBreaker(step)
  if (intent !== 'written') return
  const submitted = await submit(step, spec)
  const isKept = await settleSubmit(step, () => write(step, submitted))
  if (!isKept && typeof submitted === 'object' && 'outputs' in submitted) await removeStagedOutput(step, submitted)
}

/** May be repeated. False when what was made is no longer wanted, or was refused by the fence. */
async function write(step: Step, submitted: Awaited<ReturnType<typeof submit>>): Promise<boolean> {
  if (submitted === 'unwanted') return false
  if (submitted === 'handed back') {
    await rescheduleStep(step, 0)
    return true
  }
  if (submitted instanceof Error) return handleUnanswered(step, submitted)
  return keep(step, submitted)
}

/** The intent may have been written and only its confirmation lost: the provider was not asked all the same. */
async function recordNotSubmitted(step: Step, error: unknown): Promise<undefined> {
  if (!(error instanceof Refusal)) throw error
  await settleSubmit(step, () => recordRefusedSubmit(step.context, step.claim, { delaySeconds: backoffSecondsMin }))
}

const submitUnknown: Failure = { code: 'internal_error', reason: 'submit_unknown' }

async function readSpec(step: Step): Promise<JobSpec | undefined> {
  try {
    return await jobSpecOf(step.context, step.claim, step.variant)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'service_unavailable') throw error
    await fail(step, { code: 'parameter_validation', reason: 'input_rejected_by_model' })
    return undefined
  }
}

/**
 * A throw means that it is not known whether the provider has the work, unless it says that nothing was sent. Cut short by nothing but
 * its limit: an answer that was under way would be lost, and with it the handle by which a cancel reaches the provider. Where the answer
 * is the result itself, the end of the work closes the connection. A shutdown cuts what another process may repeat.
 */
async function submit(step: Step, spec: JobSpec): Promise<Submitted | Error | 'unwanted' | 'handed back'> {
  const { context, claim, provider } = step
  const { idempotentSubmit } = provider.capabilities
  const unless = [...(provider.closesOnCancel?.(spec) ? [step.unwanted] : []), ...(idempotentSubmit ? [context.shutdown] : [])]
  try {
    return await callStepProvider(step, 'submit', unless, (asked) => provider.submit(spec, asked))
  } catch (error) {
    if (idempotentSubmit && context.shutdown.aborted) return 'handed back'
    if (unless.some(({ aborted }) => aborted)) {
      context.log.info({ generationId: claim.generation.id, provider: provider.id }, 'closed the connection of a submit that nobody wants')
      return 'unwanted'
    }
    context.log.warn({ generationId: claim.generation.id, provider: provider.id, error }, 'submit did not answer')
    return error instanceof Error ? error : new Error('submit failed', { cause: error })
  }
}

async function handleUnanswered(step: Step, error: Error): Promise<boolean> {
  const { claim, provider } = step
  if (error instanceof UnfitOutput) await fail(step, error.failure)
  else if (error instanceof NotSent) await waitForCapacity(step, 'model_offline')
  else if (!provider.capabilities.idempotentSubmit) await failAndCancel(step, submitUnknown)
  else if (isPastDeadline(step)) await failAndCancel(step, { code: 'timeout', reason: 'deadline_exceeded' })
  else if (claim.tries + 1 >= attemptsMax) await failAndCancel(step, { code: 'provider_error', reason: 'provider_failed' })
  else await retryStep(step)
  return true
}

async function keep(step: Step, submitted: Submitted): Promise<boolean> {
  const { context, claim, provider } = step
  switch (submitted.kind) {
    case 'failed':
      await failRefused(step, submitted.failure)
      return true
    case 'busy':
      await waitForCapacity(step, 'model_at_capacity', submitted.retryAfterMs)
      return true
    case 'done':
      return recordStepOutputs(step, submitted)
    case 'job': {
      const { handle, position, pollAfterMs } = submitted
      const isBegun = submitted.state === undefined ? !provider.capabilities.reportsQueue : submitted.state === 'running'
      await recordSubmitted(context, claim, { handle, isBegun, position, delaySeconds: pollAfterMs / 1000 })
      return true
    }
  }
}

/** Whatever a vendor says: it is not asked at once again. */
const backoffSecondsMin = 1

/** The provider certainly takes nothing now: another variant takes the work, or it waits here, at no cost, until the deadline. */
async function waitForCapacity(step: Step, reason: 'model_at_capacity' | 'model_offline', retryAfterMs?: number): Promise<void> {
  if (!isPastDeadline(step) && (await switchToFallback(step))) return
  const { context, claim } = step
  const pause = retryAfterMs === undefined ? backoffSeconds(step) : Math.max(backoffSecondsMin, retryAfterMs / 1000)
  await recordRefusedSubmit(context, claim, { reason, delaySeconds: Math.min(pause, secondsLeft(step)) })
  if (!isPastDeadline(step)) return
  await failRefused(step, { code: 'model_unavailable', reason })
}

/** The provider has said no; it may have heard an earlier submit of the attempt all the same. */
async function failRefused(step: Step, failure: Failure): Promise<void> {
  if (step.claim.intentAt === null) await fail(step, failure)
  else await failAndCancel(step, failure)
}

/** Work that the provider has not got when its time is over. It could not be made any more, and would be paid for all the same. */
async function failNeverSubmitted(step: Step, refused?: StepPayload['refused']): Promise<void> {
  const wasAsked = refused !== undefined || step.claim.tries > 0
  const reason = refused ?? (wasAsked ? 'model_at_capacity' : 'model_offline')
  await fail(step, { code: 'model_unavailable', reason }, { neverSubmitted: !wasAsked })
}

/** Uneven, so that not all come at once when a lock has run out. */
const breakerJitterSeconds = 5

/** Failures have locked the family or its vendor: the work waits here, at no cost, until its turn as a trial or the deadline. */
async function waitForBreaker(step: Step): Promise<void> {
  const { breakers } = step.context
  const { familyId, fallbackModelId } = step.claim.generation
  const subjects = breakersOfAttempt({ familyId, isFallback: fallbackModelId !== null }, step.provider)
  if (await switchToFallback(step)) return
  if (isPastDeadline(step)) return fail(step, { code: 'model_unavailable', reason: 'model_offline' }, { neverSubmitted: true })
  await breakers.refresh()
  const pause = Math.max(1, breakers.lockedSeconds(subjects)) + Math.random() * breakerJitterSeconds
  await rescheduleStep(step, Math.min(pause, secondsLeft(step)))
}
