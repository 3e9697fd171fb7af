import type { Failure } from '../contract/failures.ts'
import type { Json } from '../contract/json.ts'
import type { Variant } from '../domain/catalog/family.ts'
import { type Claim, type ClaimOptions, claimGeneration } from '../domain/generations/claimGeneration.ts'
import { comeBackLater, type Later } from '../domain/generations/comeBackLater.ts'
import { storingSeconds } from '../domain/generations/keepMade.ts'
import { findGeneration } from '../domain/generations/readGeneration.ts'
import type { StepTask } from '../domain/generations/transitions.ts'
import type { StepPayload } from '../domain/queue.ts'
import { type Verdict, verdictOfFailure } from '../domain/vendors/noteVerdict.ts'
import { subjectsMet } from '../domain/vendors/subjectsMet.ts'
import type { Generation } from '../entities/Generation.ts'
import type { Output, Provider, ProviderCall, ProviderContext } from '../providers/provider.ts'
import { vendorFields } from '../providers/vendorWords.ts'
import { traced } from '../tracing/tracing.ts'
import { answerSecondsOf, askProvider } from './askProvider.ts'
import { endInTurn } from './endInTurn.ts'
import { handBackForSlot, handBackUnknown } from './handBack.ts'
import type { JobContext } from './jobContext.ts'
import { tracedStep } from './jobSpans.ts'
import { runnerOf } from './jobSpec.ts'
import { keeperOf } from './keeperOf.ts'
import { requireClaim } from './requireClaim.ts'
import { uncountUnavailable } from './uncountUnavailable.ts'
import { heldAnswerSeconds } from './untilWritten.ts'
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
  hasKept: boolean
}

/** Work that ended its process so often is not tried again. */
const deathsMax = 6

/**
 * Takes a generation over for one step and runs it: nothing when it has ended, or has nothing to do in this step. The step is handed back
 * when this process does not know its family, or has no slot free for it. Work whose process died over and over fails.
 */
export async function runStep(context: JobContext, task: StepTask, payload: StepPayload, work: (step: Step) => Promise<void>) {
  const found = await findGeneration(context, payload.generationId)
  if (!found || found.finishedAt) return
  await tracedStep(context, task, found, () => stepOf(context, task, { found, payload }, work))
}

type Found = { found: Generation; payload: StepPayload }

async function stepOf(context: JobContext, task: StepTask, { found, payload }: Found, work: (step: Step) => Promise<void>): Promise<void> {
  const runner = runnerOf(context, found)
  if (!runner) return handBackUnknown(context, task, found, payload)
  const { provider, variant } = runner
  const release = context.slots.take({ group: provider.id, member: found.familyId, isNew: task === 'submitGeneration' })
  if (!release) return handBackForSlot(context, task, found)
  // Before the claim, which reads the state: no cancel falls between.
  const watch = watchGeneration(context, found.id)
  try {
    const { fallbackModelId } = found
    const { deadlineSeconds } = variant
    const asking = task === 'submitGeneration' ? askingOf(context, provider) : undefined
    const claim = await claimGeneration(context, found.id, { task, providerId: provider.id, deadlineSeconds, fallbackModelId, asking })
    if (!claim) return
    const step: Step = { context, task, claim, provider, variant, unwanted: watch.unwanted, hasKept: false }
    await uncountUnavailable(step, async () => {
      if (claim.timesBegun > deathsMax) await giveUp(step, { code: 'internal_error', reason: 'unclassified' })
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
  return { processId: openSubmits.processId, answerSeconds: answerSecondsOf(provider, 'submit') + storingSeconds + heldAnswerSeconds }
}

/**
 * Asks the provider about this work, within the limits of the call and of the deadline. `unless`: what ends the call before. A result that
 * exists is fetched whatever the deadline was: `collect` has its own limit alone.
 */
export async function ask<Answer>(
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
      const said = JSON.stringify(vendorFields(fields, written))
      context.log.warn({ generationId: generation.id, provider: provider.id, said }, message)
    },
  }
  const keeper = keeperOf(context, generation)
  const keep: typeof keeper = (...made) => {
    step.hasKept = true
    return keeper(...made)
  }
  const { clock, metrics } = context
  const deadlineAt = call === 'collect' ? null : generation.deadlineAt
  const attributes = { 'atelier.provider': provider.id, 'atelier.family': generation.familyId, 'atelier.variant': variant.modelId }
  return traced(`provider ${call}`, { kind: 'client', attributes }, () =>
    askProvider(provider, call, { clock, deadlineAt, unless, log, keep, metrics }, question),
  )
}

/** The provider's verdict: the generation fails, nothing is charged, and the provider knows. `unasked`: it was never heard. */
export async function fail(step: Step, failure: Failure, { unasked = false } = {}): Promise<void> {
  tellFault(step, failure)
  const verdict = unasked ? undefined : verdictOn(step, failure)
  const leaves = mayHaveStored(step) ? (['objects'] as const) : []
  await endInTurn(step, { to: 'failed', failure, leaves, verdict })
}

/**
 * Our own verdict: the generation fails, nothing is charged, and the provider is told that nobody wants the work any more. `ours`: it was
 * a process of ours that died, which says nothing of the provider.
 */
export async function giveUp(step: Step, failure: Failure, { ours = false } = {}): Promise<void> {
  tellFault(step, failure)
  const verdict = ours ? undefined : verdictOn(step, failure)
  await endInTurn(step, { to: 'failed', failure, leaves: ['work', 'objects'], verdict })
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

function tellFault({ context, provider }: Step, { code }: Failure): void {
  if (faults.has(code)) context.metrics.providerFault({ provider: provider.id, code })
}

/** What the end of this work says of the provider and the family; nothing of one that only plays failures. */
export function verdictOn({ claim, provider }: Step, ended: Failure | 'well'): Verdict | undefined {
  if (provider.simulated) return undefined
  const made = { familyId: claim.generation.familyId, providerId: provider.id }
  const isFallback = claim.generation.fallbackModelId !== null
  return ended === 'well' ? { successOf: subjectsMet({ ...made, isFallback }, provider) } : verdictOfFailure(ended, made)
}

/** Whether a result of this generation, or what came with an answer, may lie about. */
export function mayHaveStored({ claim, hasKept }: Step): boolean {
  if (hasKept) return true
  if ((claim.outputs as Output[] | null)?.some(({ kept }) => kept)) return true
  return claim.gatheredFence !== null && claim.generation.fence > claim.gatheredFence + 1
}

/** Leaves the step to a later job: it went well so far. */
export async function later(step: Step, delaySeconds: number, seen?: Later['seen']): Promise<void> {
  await comeBackLater(step.context, step.claim, { task: step.task, delaySeconds, isTry: false, ...(seen ? { seen } : {}) })
}

/**
 * Leaves the step to a later job that counts as another try, after `secondsMax` at most. The last one is made at the deadline.
 */
export async function tryAgain(
  step: Step,
  { secondsMax = pauseSecondsMax, brokenSince }: { secondsMax?: number; brokenSince?: string | undefined } = {},
): Promise<void> {
  const delaySeconds = Math.min(pauseSeconds(step), secondsMax, secondsLeft(step))
  await comeBackLater(step.context, step.claim, { task: step.task, delaySeconds, isTry: true, brokenSince })
}

const pauseSecondsMax = 30

/** How long to wait before another try: doubling from 1 s to 30 s. */
export function pauseSeconds({ claim }: Step): number {
  return Math.min(pauseSecondsMax, 2 ** claim.tries)
}

/** Until the deadline; 0 once it has passed. */
export function secondsLeft({ context, claim }: Step): number {
  const { deadlineAt } = claim.generation
  return deadlineAt === null ? Number.POSITIVE_INFINITY : Math.max(0, (deadlineAt.getTime() - context.clock.now().getTime()) / 1000)
}

export function isPastDeadline(step: Step): boolean {
  return secondsLeft(step) === 0
}
