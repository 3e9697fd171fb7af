import { rm } from 'node:fs/promises'
import type { Variant } from '../../domain/catalog/family.ts'
import type { Context } from '../../domain/context.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import { type StagedOutput, stageRetrySeconds } from '../../domain/generations/results/stageOutput.ts'
import { type Claim, type ClaimOptions, claimGeneration } from '../../domain/generations/steps/claimGeneration.ts'
import type { Recorded } from '../../domain/generations/steps/recordOutputs.ts'
import { intentOfFirstClaim, withdrawFirstIntent } from '../../domain/generations/steps/recordSubmit.ts'
import type { StepTask } from '../../domain/generations/transitions.ts'
import type { StepPayload } from '../../domain/queue.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { Measured } from '../../media/inspectionResult.ts'
import type { Provider } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { type Runner, runnerOf } from './jobSpec.ts'
import { callTimeoutSeconds } from './openProviderCall.ts'
import { requeueForSlot, requeueUnknownFamily } from './requeueStep.ts'
import { retryWrite, retryWriteSeconds } from './retryWrite.ts'

/**
 * One step of a generation, claimed by a job. The database refuses its writes after another job has claimed the generation.
 * Its slot is released with the scope that declares it by `using`.
 */
export type Step = Disposable & {
  context: JobContext
  task: StepTask
  claim: Claim
  /** When the claim was made or last checked: before that statement, in the milliseconds of `performance.now()`. */
  claimedAt: number
  provider: Provider
  variant: Variant
  /** Aborts when the generation ends elsewhere, mostly by a cancel. */
  unwanted: AbortSignal
  /** This job may have stored bytes that arrived with an answer. */
  hasStagedOutput: boolean
  /** The bytes that this job has stored. They are the only ones of the attempt under the first claim of the generation. */
  staged: StagedOutput | undefined
  /** The inspection of the staged bytes, once it has begun. */
  inspection: Promise<Measured | undefined> | undefined
  /** The submit whose intent was recorded with the claim. It stays open until this is disposed of, after its answer is recorded. */
  submit: Disposable | undefined
  /** The queue must not complete the job: it was removed with the end of the generation, or is the next run of the step. */
  isJobRemoved: boolean
  /** The job runs `task` next, under the same claim. */
  continues: boolean
  /** The job waits for the next poll itself, see `localPoll.ts`. */
  localPoll: { permit: Disposable; seconds: number } | undefined
  releaseSlot(): void
  /** Waits for a slot of a local poll, which the job then keeps to its end. False when there was none in time, and after an abort. */
  takeLocalSlot(signal: AbortSignal): Promise<boolean>
  /** Counts the slot as one of started work, so that it no longer takes from the slots of new work. */
  countAsStarted(): void
}

/** Removes the local copy of the bytes that this job has stored. */
export async function removeStagedFile(step: Pick<Step, 'staged' | 'inspection'>): Promise<void> {
  const { staged } = step
  step.staged = undefined
  step.inspection = undefined
  if (typeof staged?.local === 'string') await rm(staged.local, { force: true })
}

/** Drops the planned poll of a step, if it has one. */
export function endLocalPoll(step: Pick<Step, 'localPoll'>): void {
  step.localPoll?.permit[Symbol.dispose]()
  step.localPoll = undefined
}

/** Makes the job run `task` next, unless its claim is lost or the task was queued as a job of its own. */
export function continueWith(step: Step, recorded: Recorded, task: StepTask): void {
  if (recorded === 'lost' || recorded === 'queued') return endLocalPoll(step)
  step.claim = recorded
  step.task = task
  step.continues = true
}

/**
 * Takes a slot for a generation and claims it for `task`. `undefined` when the task has nothing to do in the present state. Requeues the
 * task, and returns `undefined`, when this process does not have the family in its catalog or has no free slot for it.
 */
export async function openStep(context: JobContext, task: StepTask, found: Generation, payload: StepPayload): Promise<Step | undefined> {
  const runner = runnerOf(context, found)
  if (!runner) {
    await requeueUnknownFamily(context, task, found, payload)
    return undefined
  }
  const { provider, variant } = runner
  const holder = { group: provider.id, member: found.familyId }
  let release = context.slots.take({ ...holder, isNew: task === 'submitGeneration' })
  if (!release) {
    await requeueForSlot(context, task, found)
    return undefined
  }
  using opened = new DisposableStack()
  opened.defer(() => release?.())
  // The claim reads the state. A watch that starts before it misses no cancel.
  const { unwanted } = opened.use(watchGeneration(context, found.id))
  const intent = task === 'submitGeneration' && !context.shutdown.aborted ? intentOfFirstClaim(context, found, provider) : undefined
  const submit = intent && opened.adopt(context.openSubmits.open(found.id), (open) => open[Symbol.dispose]())
  const claimedAt = performance.now()
  const claim = await claimWith(context, found, { runner, task, intent })
  if (!claim?.hasIntent) submit?.[Symbol.dispose]()
  if (!claim) return undefined
  let isNew = task === 'submitGeneration'
  const countAsStarted = () => {
    const other = isNew ? context.slots.take(holder) : undefined
    if (!other) return
    release?.()
    release = other
    isNew = false
  }
  const releaseSlot = () => {
    release?.()
    release = undefined
    isNew = false
  }
  const takeLocalSlot = async (signal: AbortSignal) => {
    release = await context.localPolls?.takeSlot(holder, signal)
    return release !== undefined
  }
  const held = opened.move()
  const dispose = () => {
    endLocalPoll(step)
    held.dispose()
  }
  const atFirst = {
    submit: claim.hasIntent ? submit : undefined,
    hasStagedOutput: false,
    staged: undefined,
    inspection: undefined,
    isJobRemoved: false,
    continues: false,
    localPoll: undefined,
  }
  const slot = { releaseSlot, takeLocalSlot, countAsStarted }
  const step: Step = { context, task, claim, claimedAt, provider, variant, unwanted, ...atFirst, ...slot, [Symbol.dispose]: dispose }
  return step
}

type ClaimWith = { runner: Runner; task: StepTask; intent: ClaimOptions['intent'] }

async function claimWith(context: JobContext, found: Generation, { runner, task, intent }: ClaimWith): Promise<Claim | undefined> {
  const { provider, variant } = runner
  const asking = task === 'submitGeneration' ? openSubmitOf(context, provider) : undefined
  const { deadlineSeconds } = variant
  const { fallbackModelId } = found
  try {
    return await claimGeneration(context, found.id, { task, providerId: provider.id, deadlineSeconds, fallbackModelId, asking, intent })
  } catch (error) {
    // A commit without its confirmation would look like a submit whose answer was lost.
    if (intent && asking) await retryWrite(context, found.id, () => withdrawFirstIntent(context, found.id, asking.processId))
    throw error
  }
}

/** How long an answer may take to arrive, to be stored and to be recorded. Only for a provider that cannot recognise a repeat. */
function openSubmitOf({ openSubmits }: JobContext, provider: Provider): ClaimOptions['asking'] {
  if (provider.capabilities.idempotentSubmit) return undefined
  return { processId: openSubmits.processId, answerSeconds: callTimeoutSeconds(provider, 'submit') + stageRetrySeconds + retryWriteSeconds }
}

/** Seconds until the deadline; 0 after it. */
export function secondsLeft({ context, claim }: Step): number {
  const { deadlineAt } = claim.generation
  return deadlineAt === null ? Number.POSITIVE_INFINITY : Math.max(0, (deadlineAt.getTime() - context.clock.now().getTime()) / 1000)
}

export function isPastDeadline(step: Step): boolean {
  return secondsLeft(step) === 0
}

type Watch = Disposable & {
  /** Aborts when the generation has ended elsewhere, mostly by a cancel. */
  unwanted: AbortSignal
}

/**
 * Watches for the end of a generation. A caller that reads the state after this call misses no cancel.
 * Contract: docs/contract.md#cancel-a-generation; a cancel reaches a running step at once.
 */
function watchGeneration(context: Context, generationId: string): Watch {
  const controller = new AbortController()
  const check = () => {
    findGeneration(context, generationId).then(
      (found) => {
        if (!found || found.finishedAt) controller.abort(new Error('the generation has ended'))
      },
      () => undefined,
    )
  }
  return { unwanted: controller.signal, [Symbol.dispose]: context.notices.subscribe('generation', generationId, check) }
}
