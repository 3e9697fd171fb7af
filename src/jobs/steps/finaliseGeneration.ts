import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Failure } from '../../contract/failures/failures.ts'
import { removeOrphanedResult, resultKeyOf } from '../../domain/generations/results/removeOrphans.ts'
import { stagedKeyOf } from '../../domain/generations/results/stageOutput.ts'
import type { StepPayload } from '../../domain/queue.ts'
import { isInspectorFault, type Measured } from '../../media/inspectionResult.ts'
import { BrokenOutput, type Collected, type Output, type ProviderContext, UnfitOutput } from '../../providers/provider.ts'
import { temporaryName } from '../../storage/temporaryFiles.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { endSerialized } from './endSerialized.ts'
import { jobSpecOf } from './jobSpec.ts'
import {
  breakerOutcomeOf,
  callStepProvider,
  fail,
  failAndCancel,
  isPastDeadline,
  mayHaveStored,
  rescheduleStep,
  retryStep,
  runStep,
  type Step,
} from './step.ts'

/**
 * finalizing → ready: fetches the output, looks at it, keeps it in our storage, and only then charges. A result that is not what it
 * should be fails and costs nothing. One that we cannot fetch, look at or keep for now is tried again for a day, since the
 * provider has made it and may be paid for it.
 */
export async function finaliseGeneration(context: JobContext, payload: StepPayload): Promise<void> {
  await runStep(context, 'finaliseGeneration', payload, async (step) => {
    const path = join(context.settings.temporaryFolder, temporaryName())
    try {
      await finalise(step, (step.claim.outputs ?? []) as Output[], path)
    } catch (error) {
      await retryOrFail(step, error, payload)
    } finally {
      await rm(path, { force: true })
    }
  })
}

/** A model that makes more than was asked for is taken at its first word that fits; nobody reads through all that it may have said. */
const outputsMax = 4

async function finalise(step: Step, outputs: Output[], path: string): Promise<void> {
  const { context, claim, provider } = step
  let failure: Failure = { code: 'provider_error', reason: outputs.length === 0 ? 'result_expired' : 'provider_failed' }
  for (const output of outputs.slice(0, outputsMax)) {
    const failed = await fetchTo(step, output, path)
    const measured = failed ? undefined : await measure(step, path)
    if (measured) return keep(step, path, measured)
    if (failed) failure = failed
  }
  const counts = { generationId: claim.generation.id, provider: provider.id, outputs: outputs.length }
  context.log.error(counts, 'the provider gave nothing that is the result')
  await fail(step, failure)
}

/** What lies at the path, when it is what was asked for. */
async function measure({ context, claim, provider, unwanted }: Step, path: string): Promise<Measured | undefined> {
  const inspected = await context.inspector.inspect(path, { owner: 'results', signal: unwanted })
  if (isInspectorFault(inspected)) throw new Error('the result could not be inspected')
  if (inspected.ok && inspected.type === claim.generation.outputType) return inspected
  context.log.warn({ generationId: claim.generation.id, provider: provider.id, inspected }, 'an output is something else than the result')
  return undefined
}

async function keep(step: Step, path: string, measured: Measured): Promise<void> {
  const { context, claim, unwanted } = step
  const { id, fence } = claim.generation
  const key = resultKeyOf({ id, fence })
  const stored = await context.storage.put(key, createReadStream(path), { contentType: measured.mimeType, signal: unwanted })
  const leaves = mayHaveStored(step) ? (['objects'] as const) : []
  const verdict = breakerOutcomeOf(step, 'well')
  const ended = await endSerialized(step, { to: 'ready', result: resultOf(measured, stored), leaves, verdict })
  if (!ended) await removeOrphanedResult(context, { id, fence })
}

/** Fetches the bytes into a file of ours; gives the failure when there are none to be had. */
async function fetchTo(step: Step, output: Output, path: string): Promise<Failure | undefined> {
  try {
    return await callStepProvider(step, 'collect', [step.unwanted, step.context.shutdown], async (asked) => {
      const collected = await open(step, output, asked)
      if (collected.state === 'failed') return collected.failure
      await pipeline(collected.stream, createWriteStream(path), { signal: asked.signal })
      return undefined
    })
  } catch (error) {
    if (error instanceof UnfitOutput) return error.failure
    throw error
  }
}

async function open({ context, claim, provider, variant }: Step, output: Output, asked: ProviderContext): Promise<Collected> {
  if (!output.kept) return provider.collect(output, await jobSpecOf(context, claim, variant), asked)
  const stream = await context.storage.open(stagedKeyOf(claim.generation))
  return { state: 'bytes', stream, mimeType: output.mimeType ?? 'application/octet-stream' }
}

/** What is made waits for nobody but us: it is to be ready within 15 seconds from when it can be fetched and stored again. */
const backoffSecondsMax = 8

/** A file that only breaks off for so long is no result. With its last download this bounds how long such work stays `finalizing`. */
const brokenSecondsMax = 60

async function retryOrFail(step: Step, error: unknown, payload: StepPayload): Promise<void> {
  const { context, claim, provider, unwanted } = step
  if (unwanted.aborted) return
  if (context.shutdown.aborted) return rescheduleStep(step, 0)
  context.log.warn({ generationId: claim.generation.id, provider: provider.id, error }, 'the result could not be kept')
  if (isPastDeadline(step)) return failAndCancel(step, { code: 'internal_error', reason: 'storage_failed' })
  if (!(error instanceof BrokenOutput)) return retryStep(step, { secondsMax: backoffSecondsMax })
  const { brokenSince = context.clock.now().toISOString() } = payload
  const brokenSeconds = (context.clock.now().getTime() - Date.parse(brokenSince)) / 1000
  if (brokenSeconds >= brokenSecondsMax) return fail(step, { code: 'provider_error', reason: 'provider_failed' })
  return retryStep(step, { secondsMax: backoffSecondsMax, brokenSince })
}

function resultOf(inspected: Measured, stored: { key: string; sizeBytes: number; sha256: string }) {
  const { mimeType, width, height, durationSeconds } = inspected
  return { storageKey: stored.key, mimeType, sizeBytes: stored.sizeBytes, sha256: stored.sha256, width, height, durationSeconds }
}
