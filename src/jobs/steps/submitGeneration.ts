import type { Json } from '../../contract/json.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { closeOpenSubmit, waitForOpenSubmit } from '../../domain/generations/steps/openSubmit.ts'
import { type IntentVerdict, recordIntent } from '../../domain/generations/steps/recordSubmit.ts'
import type { StepPayload } from '../../domain/queue.ts'
import { breakersOfAttempt } from '../../domain/vendors/breakers.ts'
import { type JobHandle, type JobSpec, UnfitOutput } from '../../providers/provider.ts'
import { failAndCancel, failGeneration } from './failGeneration.ts'
import { finaliseAnswer } from './finaliseAnswer.ts'
import { jobSpecOf } from './jobSpec.ts'
import { openStepCall } from './openStepCall.ts'
import { removeStagedOutput } from './recordStepOutputs.ts'
import { recordNotSubmitted, recordSubmitAnswer, recordSubmitted, type SubmitAnswer, submitUnknown } from './recordSubmitAnswer.ts'
import { recoverStagedOutput, stagedOutput } from './recoverStagedOutput.ts'
import { rescheduleStep } from './rescheduleStep.ts'
import { retryWrite } from './retryWrite.ts'
import { continueWith, isPastDeadline, type Step, secondsLeft } from './step.ts'
import { switchToFallback } from './switchToFallback.ts'

/**
 * Submits the work to the provider once: queued → running when the provider has begun it or cannot report when it will. Records the
 * intent right before the call. After the call it records the answer, or ends the generation if the answer is the result
 * ({@link finaliseAnswer}). If the process ends between the two, the next job takes a result that is already stored. Otherwise only a
 * provider that recognises the repeat by its idempotency key receives it again. Another job waits while a process may still record the
 * answer.
 */
export async function submitGeneration(step: Step, payload: StepPayload): Promise<void> {
  const { claim, provider } = step
  if (claim.handle !== null) return recordKnownHandle(step, claim.handle)
  if (claim.intentAt !== null && !provider.capabilities.idempotentSubmit) return awaitOpenSubmit(step)
  if (claim.intentAt === null && isPastDeadline(step)) return failNeverSubmitted(step, payload.refused)
  if (claim.intentAt !== null && (await recoverStagedOutput(step))) return
  const spec = await readSpec(step)
  if (spec) await submitOnce(step, spec)
}

async function submitOnce(step: Step, spec: JobSpec): Promise<void> {
  const { context, claim } = step
  using _open = step.submit ?? context.openSubmits.open(claim.generation.id)
  if (context.shutdown.aborted)
    return await (claim.hasIntent ? settleSubmit(step, () => recordNotSubmitted(step)) : rescheduleStep(step, 0))
  const intent = claim.hasIntent ? 'written' : await writeIntent(step)
  if (intent === 'locked') return await waitForBreaker(step)
  if (intent !== 'written') return
  const answer = await callSubmit(step, spec)
  if (answer.kind === 'done' && (await finaliseAnswer(step, answer))) return
  const recorded = await settleSubmit(step, () => recordSubmitAnswer(step, answer), { closes: ['job', 'done'].includes(answer.kind) })
  if (recorded === 'lost' && answer.kind === 'done') await removeStagedOutput(step, answer)
  continueWith(step, recorded, answer.kind === 'done' ? 'finaliseGeneration' : 'pollGeneration')
}

/** A job of this attempt has recorded the handle. */
async function recordKnownHandle(step: Step, handle: Json): Promise<void> {
  const recorded = await recordSubmitted(step, { kind: 'job', handle: handle as JobHandle, state: 'queued', pollAfterMs: 0 })
  continueWith(step, recorded, 'pollGeneration')
}

/** The pause before a job checks again whether another one has recorded the answer. */
const openSubmitPauseSeconds = 5

async function awaitOpenSubmit(step: Step): Promise<void> {
  const { context, claim } = step
  const { processId, has } = context.openSubmits
  const options = { processId, isOwnSubmit: has(claim.generation.id), delaySeconds: openSubmitPauseSeconds }
  if ((await waitForOpenSubmit(context, claim, options)) || (await recoverStagedOutput(step))) return
  await failAndCancel(step, submitUnknown, { isOurFault: true })
}

/** The deadline passed before the first submit. A result could not arrive in time, and the vendor would bill for it. */
async function failNeverSubmitted(step: Step, refused?: StepPayload['refused']): Promise<void> {
  const wasAsked = refused !== undefined || step.claim.tries > 0
  const reason = refused ?? (wasAsked ? 'model_at_capacity' : 'model_offline')
  await failGeneration(step, { code: 'model_unavailable', reason }, { neverSubmitted: !wasAsked })
}

async function readSpec(step: Step): Promise<JobSpec | undefined> {
  try {
    return await jobSpecOf(step.context, step.claim, step.variant)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'service_unavailable') throw error
    await failGeneration(step, { code: 'parameter_validation', reason: 'input_rejected_by_model' })
    return undefined
  }
}

/** `undefined` after a refusal: the intent may be committed although its confirmation was lost, but the provider was not called. */
async function writeIntent(step: Step): Promise<IntentVerdict | undefined> {
  try {
    return await recordIntent(step.context, step.claim, step.provider)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await settleSubmit(step, () => recordNotSubmitted(step))
    return undefined
  }
}

/**
 * Calls `submit`. An error means that the provider may have the work, unless it is `NotSent`. Only the time limit ends most calls: a lost
 * answer is a lost handle, and without it no cancel reaches the provider. The end of the generation closes the connection when the answer
 * is the result itself. A shutdown ends a call that another process may repeat.
 */
async function callSubmit(step: Step, spec: JobSpec): Promise<SubmitAnswer> {
  const { context, claim, provider } = step
  const { idempotentSubmit } = provider.capabilities
  const abortOn = [...(provider.closesOnCancel?.(spec) ? [step.unwanted] : []), ...(idempotentSubmit ? [context.shutdown] : [])]
  const subject = { generationId: claim.generation.id, provider: provider.id }
  try {
    using call = openStepCall(step, 'submit', abortOn)
    return await call.awaitAnswer(provider.submit(spec, call.context))
  } catch (error) {
    if (idempotentSubmit && context.shutdown.aborted) return { kind: 'interrupted' }
    if (abortOn.some(({ aborted }) => aborted)) {
      context.log.info(subject, 'closed the connection of a submit, since the generation has ended')
      return { kind: 'unwanted' }
    }
    context.log.warn({ ...subject, error }, 'submit did not answer')
    // The answer broke off after the bytes of the result, which are stored.
    if (step.staged && !(error instanceof UnfitOutput)) return { kind: 'done', outputs: [stagedOutput(step.staged.mimeType)] }
    return { kind: 'unanswered', error: error instanceof Error ? error : new Error('submit failed', { cause: error }) }
  }
}

/**
 * Writes the answer to a submit until it is committed: the work may be billed, and the answer comes once. A job that waits for this answer
 * may have raised the fence, so that the write was refused. Then takes a new fence and writes again. `closes`: a write that is not lost also
 * closes the submit.
 */
async function settleSubmit<Result>(step: Step, write: () => Promise<Result>, { closes = false } = {}): Promise<Result> {
  const { context, provider } = step
  const { id, fence } = step.claim.generation
  if (provider.capabilities.idempotentSubmit) return retryWrite(context, id, write)
  const open = { processId: context.openSubmits.processId, askedFence: fence }
  const close = () => closeOpenSubmit(context, step.claim, open)
  for (;;) {
    const result = await retryWrite(context, id, write).catch(async (error: unknown) => {
      await close().catch(() => undefined)
      throw error
    })
    if (closes && result !== 'lost' && step.claim.generation.fence === open.askedFence) return result
    const regained = await retryWrite(context, id, close)
    if (regained === undefined) return result
    step.claim = { ...step.claim, generation: { ...step.claim.generation, fence: regained } }
  }
}

/** Random, so that waiting jobs do not all start when the lock expires. */
const jitterSeconds = 5

/**
 * Requeues work whose family or vendor is locked by a circuit breaker. It waits without a charge until it may run as a trial, or until
 * the deadline. A fallback variant takes it if there is one.
 */
async function waitForBreaker(step: Step): Promise<void> {
  const { breakers } = step.context
  const { familyId, fallbackModelId } = step.claim.generation
  const subjects = breakersOfAttempt({ familyId, isFallback: fallbackModelId !== null }, step.provider)
  if (await switchToFallback(step)) return
  if (isPastDeadline(step)) return failGeneration(step, { code: 'model_unavailable', reason: 'model_offline' }, { neverSubmitted: true })
  await breakers.refresh()
  const pause = Math.max(1, breakers.lockedSeconds(subjects)) + Math.random() * jitterSeconds
  await rescheduleStep(step, Math.min(pause, secondsLeft(step)))
}
