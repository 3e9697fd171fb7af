import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failure } from '../../contract/failures/failures.ts'
import { endReady, type ReadyEnding } from '../../domain/generations/ending/endReady.ts'
import { type LocalCopy, openLocal, receiveLocally } from '../../domain/generations/results/localCopy.ts'
import { removeOrphanedResult, resultKeyOf } from '../../domain/generations/results/removeOrphans.ts'
import { type StagedOutput, stagedKeyOf } from '../../domain/generations/results/stageOutput.ts'
import type { StepPayload } from '../../domain/queue.ts'
import type { GenerationResult } from '../../entities/Generation.ts'
import { isInspectorFault, type Measured } from '../../media/inspectionResult.ts'
import { BrokenOutput, type Collected, type Cost, type Output, type ProviderContext, UnfitOutput } from '../../providers/provider.ts'
import { temporaryName } from '../../storage/temporaryFiles.ts'
import { breakerOutcomeOf, failAndCancel, failGeneration, mayHaveStored } from './failGeneration.ts'
import { jobSpecOf } from './jobSpec.ts'
import { openStepCall } from './openStepCall.ts'
import { rescheduleStep, retryStep } from './rescheduleStep.ts'
import { isPastDeadline, removeStagedFile, type Step } from './step.ts'

/**
 * finalizing → ready: fetches the output, inspects it, stores it, and then charges for it. An unfit result fails without a charge.
 * Fetching, inspecting and storing are retried for a day, since the vendor may bill for the result.
 */
export async function finaliseGeneration(step: Step, payload: StepPayload): Promise<void> {
  try {
    const made = await storeFirstFit(step)
    if (made) await endWith(step, made)
  } catch (error) {
    await retryOrFail(step, error, payload)
  }
}

/** The stored result. `isStaged`: it is the object that arrived with the answer. */
type Made = { result: GenerationResult; isStaged: boolean }
type Fetched = { local: LocalCopy; staged?: StagedOutput | undefined }

/** Outputs that are tried until one fits the request. A model may return more than was requested. */
const outputsMax = 4

/** Stores the first output that fits. Fails the generation, and returns `undefined`, when none does. */
async function storeFirstFit(step: Step): Promise<Made | undefined> {
  const { context, claim, provider } = step
  const outputs = (claim.outputs ?? []) as Output[]
  let failure: Failure = { code: 'provider_error', reason: outputs.length === 0 ? 'result_expired' : 'provider_failed' }
  for (const output of outputs.slice(0, outputsMax)) {
    const tried = await storeIfFit(step, output)
    if (tried?.made) return tried.made
    if (tried?.failure) failure = tried.failure
  }
  const counts = { generationId: claim.generation.id, provider: provider.id, outputs: outputs.length }
  context.log.error(counts, 'no output of the provider fits the request')
  await failGeneration(step, failure)
  return undefined
}

/** Inspects and stores an output. Its local copy is removed before the generation ends, so that the job ends with it. */
async function storeIfFit(step: Step, output: Output): Promise<{ made?: Made; failure?: Failure } | undefined> {
  const { staged } = step
  if (output.kept && staged) {
    const measured = await inspectStaged(step, staged)
    const made = measured && (await storeResult(step, { local: staged.local, staged }, measured))
    await removeStagedFile(step)
    return made && { made }
  }
  const path = join(step.context.settings.temporaryFolder, temporaryName())
  let local: LocalCopy | undefined
  try {
    const fetched = await fetchTo(step, output, path)
    if ('failure' in fetched) return fetched
    local = fetched.local
    const measured = await measure(step, fetched.local)
    return measured && { made: await storeResult(step, fetched, measured) }
  } finally {
    // Most results are in memory, and `rm` blocks the event loop while it looks for the file.
    if (!Buffer.isBuffer(local)) await rm(path, { force: true })
  }
}

/** Downloads the output, into a file at `path` if it is large. Returns the failure when the output is not available. */
async function fetchTo(step: Step, output: Output, path: string): Promise<Fetched | { failure: Failure }> {
  try {
    using call = openStepCall(step, 'collect', [step.unwanted, step.context.shutdown])
    return await call.awaitAnswer(download(step, output, { path, callContext: call.context }))
  } catch (error) {
    if (error instanceof UnfitOutput) return { failure: error.failure }
    throw error
  }
}

async function download(
  step: Step,
  output: Output,
  { path, callContext }: { path: string; callContext: ProviderContext },
): Promise<Fetched | { failure: Failure }> {
  const collected = await collect(step, output, callContext)
  if (collected.state === 'failed') return { failure: collected.failure }
  return { local: await receiveLocally(collected.stream, { path, signal: callContext.signal }) }
}

async function collect({ context, claim, provider, variant }: Step, output: Output, callContext: ProviderContext): Promise<Collected> {
  if (!output.kept) return provider.collect(output, await jobSpecOf(context, claim, variant), callContext)
  const stream = await context.storage.open(stagedKeyOf(claim.generation))
  return { state: 'bytes', stream, mimeType: output.mimeType ?? 'application/octet-stream' }
}

/** Inspects the bytes that this job has stored, once. `undefined` when they are not of the requested output type. */
export function inspectStaged(step: Step, staged: StagedOutput): Promise<Measured | undefined> {
  const inspection = (step.inspection ??= measure(step, staged.local))
  // Nobody may wait for it any more when the generation ends elsewhere.
  inspection.catch(() => undefined)
  return inspection
}

/** `undefined` when the file is not of the requested output type. */
async function measure({ context, claim, provider, unwanted }: Step, local: LocalCopy): Promise<Measured | undefined> {
  const inspected = await context.inspector.inspect(local, { owner: 'results', signal: unwanted })
  if (isInspectorFault(inspected)) throw new Error('the result could not be inspected')
  if (inspected.ok && inspected.type === claim.generation.outputType) return inspected
  context.log.warn({ generationId: claim.generation.id, provider: provider.id, inspected }, 'an output is not of the requested type')
  return undefined
}

/**
 * Stores the result. The staged object is the result already, if its type was declared right and no other job of the generation can replace
 * it: only the job of the first claim stores under its key.
 */
async function storeResult({ context, claim, unwanted }: Step, { local, staged }: Fetched, measured: Measured): Promise<Made> {
  const { id, fence } = claim.generation
  if (staged && fence === 1 && staged.mimeType === measured.mimeType) return { result: resultOf(measured, staged.stored), isStaged: true }
  const key = resultKeyOf({ id, fence })
  const stored = await context.storage.put(key, openLocal(local), { contentType: measured.mimeType, signal: unwanted })
  return { result: resultOf(measured, stored), isStaged: false }
}

async function endWith(step: Step, { result, isStaged }: Made): Promise<void> {
  const { id, fence } = step.claim.generation
  const cleanup = !isStaged && mayHaveStored(step) ? (['objects'] as const) : []
  // Another job may read the staged object; its end removes it.
  if (!(await endStep(step, { result, cleanup })) && !isStaged) await removeOrphanedResult(step.context, { id, fence })
}

/** Ends the generation with staged bytes whose outputs were not recorded. False when another transition came first. */
export function endWithAnswer(step: Step, staged: StagedOutput, { measured, cost }: { measured: Measured; cost: Cost }): Promise<boolean> {
  return endStep(step, { result: resultOf(measured, staged.stored), cleanup: [], answerCost: cost })
}

async function endStep(step: Step, ending: Pick<ReadyEnding, 'result' | 'cleanup' | 'answerCost'>): Promise<boolean> {
  const { context, claim } = step
  const ended = await endReady(context, { generation: claim.generation, ...ending, breakerOutcome: breakerOutcomeOf(step, 'ready') })
  if (ended?.jobId !== undefined) {
    context.removedJobs.add(ended.jobId)
    step.isJobRemoved = true
  }
  return ended !== undefined
}

function resultOf(inspected: Measured, stored: { key: string; sizeBytes: number; sha256: string }) {
  const { mimeType, width, height, durationSeconds } = inspected
  return { storageKey: stored.key, mimeType, sizeBytes: stored.sizeBytes, sha256: stored.sha256, width, height, durationSeconds }
}

/** A result is ready within 15 seconds after vendor and storage are available again. */
const backoffSecondsMax = 8

/** Downloads that only break off end with a failure after this time. */
const brokenSecondsMax = 60

async function retryOrFail(step: Step, error: unknown, payload: StepPayload): Promise<void> {
  const { context, claim, provider, unwanted } = step
  if (unwanted.aborted) return
  if (context.shutdown.aborted) return rescheduleStep(step, 0)
  context.log.warn({ generationId: claim.generation.id, provider: provider.id, error }, 'the result could not be stored')
  if (isPastDeadline(step)) return failAndCancel(step, { code: 'internal_error', reason: 'storage_failed' })
  if (!(error instanceof BrokenOutput)) return retryStep(step, { secondsMax: backoffSecondsMax })
  const { brokenSince = context.clock.now().toISOString() } = payload
  const brokenSeconds = (context.clock.now().getTime() - Date.parse(brokenSince)) / 1000
  if (brokenSeconds >= brokenSecondsMax) return failGeneration(step, { code: 'provider_error', reason: 'provider_failed' })
  return retryStep(step, { secondsMax: backoffSecondsMax, brokenSince })
}
