import type { Failure } from '../../contract/failures/failures.ts'
import type { Json } from '../../contract/json.ts'
import type { Variant } from '../../domain/catalog/family.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import { stageRetrySeconds } from '../../domain/generations/results/stageOutput.ts'
import { type Claim, type ClaimOptions, claimGeneration } from '../../domain/generations/steps/claimGeneration.ts'
import { type RescheduleOptions, rescheduleClaimedStep } from '../../domain/generations/steps/rescheduleClaimedStep.ts'
import type { StepTask } from '../../domain/generations/transitions.ts'
import type { StepPayload } from '../../domain/queue.ts'
import { breakersOfAttempt } from '../../domain/vendors/breakersOfAttempt.ts'
import { type BreakerOutcome, breakerOutcomeOfFailure } from '../../domain/vendors/recordBreakerOutcome.ts'
import type { Generation } from '../../entities/Generation.ts'
import { redactVendorFields } from '../../providers/connector/redactVendorText.ts'
import type { Output, Provider, ProviderCall, ProviderContext } from '../../providers/provider.ts'
import { traced } from '../../tracing/tracing.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { tracedStep } from '../runners/jobSpans.ts'
import { callProvider, callTimeoutSeconds } from './callProvider.ts'
import { endSerialized } from './endSerialized.ts'
import { runnerOf } from './jobSpec.ts'
import { outputStager } from './outputStager.ts'
import { requeueForSlot, requeueUnknownFamily } from './requeueStep.ts'
import { requireClaim } from './requireClaim.ts'
import { retryWriteSeconds } from './retryWrite.ts'
import { uncountOnOutage } from './uncountOnOutage.ts'
import { watchGeneration } from './watchGeneration.ts'

/** One step of a generation in the hands of a job. Whatever it writes is refused once another job has taken the work over. */
export type Step = {
  context: JobContext
  task: StepTask
  claim: Claim
  provider: Provider
  variant: Variant
  /** Aborts when the generation has ended elsewhere. */
  unwanted: AbortSignal
  /** This job has stored what came with an answer. */
  hasStagedOutput: boolean
}

/** Work that ended its process so often is not tried again. */
const crashesMax = 6

/**
 * Takes a generation over for one step and runs it: nothing when it has ended, or has nothing to do in this step. The step is handed back
 * when this process does not know its family, or has no slot free for it. Work whose process died over and over fails.
 */
export async function runStep(context: JobContext, task: StepTask, payload: StepPayload, work: Work) {
  const found = await findGeneration(context, payload.generationId)
  if (!found || found.finishedAt) return
  await tracedStep(context, task, found, () => runTracedStep(context, task, { found, payload }, work))
}

type Found = { found: Generation; payload: StepPayload }
type Work = (step: Step) => Promise<void>

async function runTracedStep(context: JobContext, task: StepTask, { found, payload }: Found, work: Work): Promise<void> {
  const runner = runnerOf(context, found)
  if (!runner) return requeueUnknownFamily(context, task, found, payload)
  const { provider, variant } = runner
  const release = context.slots.take({ group: provider.id, member: found.familyId, isNew: task === 'submitGeneration' })
  if (!release) return requeueForSlot(context, task, found)
  // Before the claim, which reads the state: no cancel falls between.
  const watch = watchGeneration(context, found.id)
  try {
    const { fallbackModelId } = found
    const { deadlineSeconds } = variant
    const asking = task === 'submitGeneration' ? askingOf(context, provider) : undefined
    const claim = await claimGeneration(context, found.id, { task, providerId: provider.id, deadlineSeconds, fallbackModelId, asking })
    if (!claim) return
    const step: Step = { context, task, claim, provider, variant, unwanted: watch.unwanted, hasStagedOutput: false }
    await uncountOnOutage(step, async () => {
      if (claim.runCount > crashesMax) await failAndCancel(step, { code: 'internal_error', reason: 'unclassified' })
      else await work(step)
      await requireClaim(context, claim)
    })
  } finally {
    watch.stop()
    release()
  }
}

/** Until when an answer may come, be stored and be written. A provider that recognises repeats is asked again instead. */
function askingOf({ openSubmits }: JobContext, provider: Provider): ClaimOptions['asking'] {
  if (provider.capabilities.idempotentSubmit) return undefined
  return { processId: openSubmits.processId, answerSeconds: callTimeoutSeconds(provider, 'submit') + stageRetrySeconds + retryWriteSeconds }
}

/**
 * Asks the provider about this work, within the limits of the call and of the deadline. `unless`: what ends the call before. A result that
 * exists is fetched whatever the deadline was: `collect` has its own limit alone.
 */
export async function callStepProvider<Answer>(
  step: Step,
  call: ProviderCall,
  unless: AbortSignal[],
  question: (context: ProviderContext) => Promise<Answer>,
): Promise<Answer> {
  const { context, provider, variant, claim } = step
  const { generation } = claim
  const written = { prompt: generation.prompt, parameters: generation.parameters as Record<string, Json> }
  const log = {
    // As one text, since the log shows none but under names that it knows.
    warn: (fields: object, message: string) => {
      const said = JSON.stringify(redactVendorFields(fields, written))
      context.log.warn({ generationId: generation.id, provider: provider.id, said }, message)
    },
  }
  const keeper = outputStager(context, generation)
  const keep: typeof keeper = (...made) => {
    step.hasStagedOutput = true
    return keeper(...made)
  }
  const { clock, metrics } = context
  const deadlineAt = call === 'collect' ? null : generation.deadlineAt
  const attributes = { 'atelier.provider': provider.id, 'atelier.family': generation.familyId, 'atelier.variant': variant.modelId }
  return traced(`provider ${call}`, { kind: 'client', attributes }, () =>
    callProvider(provider, call, { clock, deadlineAt, unless, log, keep, metrics }, question),
  )
}

/** The provider's verdict: the generation fails, nothing is charged, and the provider knows. `unasked`: it was never heard. */
export async function fail(step: Step, failure: Failure, { neverSubmitted = false } = {}): Promise<void> {
  countProviderFault(step, failure)
  const verdict = neverSubmitted ? undefined : breakerOutcomeOf(step, failure)
  const leaves = mayHaveStored(step) ? (['objects'] as const) : []
  await endSerialized(step, { to: 'failed', failure, leaves, verdict })
}

/**
 * Our own verdict: the generation fails, nothing is charged, and the provider is told that nobody wants the work any more. `ours`: it was
 * a process of ours that died, which says nothing of the provider.
 */
export async function failAndCancel(step: Step, failure: Failure, { ours = false } = {}): Promise<void> {
  countProviderFault(step, failure)
  const verdict = ours ? undefined : breakerOutcomeOf(step, failure)
  await endSerialized(step, { to: 'failed', failure, leaves: ['work', 'objects'], verdict })
}

/** All others are what a caller did wrong, or did not want any more. */
const faults: ReadonlySet<string> = new Set<Failure['code']>([
  'authentication',
  'insufficient_credits',
  'internal_error',
  'model_unavailable',
  'provider_error',
  'timeout',
])

function countProviderFault({ context, provider }: Step, { code }: Failure): void {
  if (faults.has(code)) context.metrics.providerFault({ provider: provider.id, code })
}

/** What the end of this work says of the provider and the family; nothing of one that only plays failures. */
export function breakerOutcomeOf({ claim, provider }: Step, ended: Failure | 'well'): BreakerOutcome | undefined {
  if (provider.simulated) return undefined
  const made = { familyId: claim.generation.familyId, providerId: provider.id }
  const isFallback = claim.generation.fallbackModelId !== null
  return ended === 'well' ? { successOf: breakersOfAttempt({ ...made, isFallback }, provider) } : breakerOutcomeOfFailure(ended, made)
}

/** Whether a result of this generation, or what came with an answer, may lie about. */
export function mayHaveStored({ claim, hasStagedOutput }: Step): boolean {
  if (hasStagedOutput) return true
  if ((claim.outputs as Output[] | null)?.some(({ kept }) => kept)) return true
  return claim.gatheredFence !== null && claim.generation.fence > claim.gatheredFence + 1
}

/** Leaves the step to a later job: it went well so far. */
export async function rescheduleStep(step: Step, delaySeconds: number, seen?: RescheduleOptions['seen']): Promise<void> {
  await rescheduleClaimedStep(step.context, step.claim, { task: step.task, delaySeconds, isRetry: false, ...(seen ? { seen } : {}) })
}

/**
 * Leaves the step to a later job that counts as another try, after `secondsMax` at most. The last one is made at the deadline.
 */
export async function retryStep(
  step: Step,
  { secondsMax = backoffSecondsMax, brokenSince }: { secondsMax?: number; brokenSince?: string | undefined } = {},
): Promise<void> {
  const delaySeconds = Math.min(backoffSeconds(step), secondsMax, secondsLeft(step))
  await rescheduleClaimedStep(step.context, step.claim, { task: step.task, delaySeconds, isRetry: true, brokenSince })
}

const backoffSecondsMax = 30

/** How long to wait before another try: doubling from 1 s to 30 s. */
export function backoffSeconds({ claim }: Step): number {
  return Math.min(backoffSecondsMax, 2 ** claim.tries)
}

/** Until the deadline; 0 once it has passed. */
export function secondsLeft({ context, claim }: Step): number {
  const { deadlineAt } = claim.generation
  return deadlineAt === null ? Number.POSITIVE_INFINITY : Math.max(0, (deadlineAt.getTime() - context.clock.now().getTime()) / 1000)
}

export function isPastDeadline(step: Step): boolean {
  return secondsLeft(step) === 0
}
