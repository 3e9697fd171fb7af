import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Failure } from '../contract/failures.ts'
import { endGeneration } from '../domain/generations/endGeneration.ts'
import { resultKeyOf } from '../domain/generations/removeOrphans.ts'
import type { StepPayload } from '../domain/queue.ts'
import { isUndecided, type Measured } from '../media/inspected.ts'
import type { Output } from '../providers/provider.ts'
import { temporaryName } from '../storage/temporaryFiles.ts'
import type { JobContext } from './jobContext.ts'
import { jobSpecOf } from './jobSpec.ts'
import { ask, fail, giveUp, isPastDeadline, later, mayHaveStored, runStep, type Step, tryAgain } from './step.ts'

/**
 * finalizing → ready: fetches the output, looks at it, keeps it in our storage, and only then charges. A result that is not what it
 * should be fails and costs nothing. One that we cannot fetch, look at or keep for now is tried again until the deadline, since the
 * provider has made it and may be paid for it.
 */
export async function finaliseGeneration(context: JobContext, payload: StepPayload): Promise<void> {
  await runStep(context, 'finaliseGeneration', payload, async (step) => {
    const [output] = (step.claim.outputs ?? []) as Output[]
    if (!output) return fail(step, { code: 'provider_error', reason: 'result_expired' })
    const path = join(context.settings.temporaryFolder, temporaryName())
    try {
      await finalise(step, output, path)
    } catch (error) {
      await repeatOrGiveUp(step, error)
    } finally {
      await rm(path, { force: true })
    }
  })
}

async function finalise(step: Step, output: Output, path: string): Promise<void> {
  const { context, claim, unwanted } = step
  const { id, fence, outputType } = claim.generation
  const failure = await fetchTo(step, output, path)
  if (failure) return fail(step, failure)
  const inspected = await context.inspector.inspect(path, { owner: 'results', signal: unwanted })
  if (isUndecided(inspected)) throw new Error('the result could not be inspected')
  if (!inspected.ok || inspected.type !== outputType) {
    context.log.error({ generationId: id, provider: step.provider.id, inspected }, 'the provider gave something else than a result')
    return fail(step, { code: 'provider_error', reason: 'provider_failed' })
  }
  const key = resultKeyOf({ id, fence })
  const stored = await context.storage.put(key, createReadStream(path), { contentType: inspected.mimeType, signal: unwanted })
  const result = resultOf(inspected, stored)
  const leaves = mayHaveStored(step) ? (['objects'] as const) : []
  const ended = await endGeneration(context, id, { by: 'job', to: 'ready', result, fence, leaves })
  if (!ended) await context.storage.remove(key)
}

/** Fetches the bytes into a file of ours; gives the failure when the provider has none to give. */
async function fetchTo(step: Step, output: Output, path: string): Promise<Failure | undefined> {
  const { context, claim, provider, variant } = step
  const spec = await jobSpecOf(context, claim, variant)
  return ask(step, 'collect', [step.unwanted, context.shutdown], async (asked) => {
    const collected = await provider.collect(output, spec, asked)
    if (collected.state === 'failed') return collected.failure
    await pipeline(collected.stream, createWriteStream(path), { signal: asked.signal })
    return undefined
  })
}

async function repeatOrGiveUp(step: Step, error: unknown): Promise<void> {
  const { context, claim, provider, unwanted } = step
  if (unwanted.aborted) return
  if (context.shutdown.aborted) return later(step, 0)
  context.log.warn({ generationId: claim.generation.id, provider: provider.id, error: String(error) }, 'the result could not be kept')
  if (isPastDeadline(step)) return giveUp(step, { code: 'internal_error', reason: 'storage_failed' })
  return tryAgain(step)
}

function resultOf(inspected: Measured, stored: { key: string; sizeBytes: number; sha256: string }) {
  const { mimeType, width, height, durationSeconds } = inspected
  return { storageKey: stored.key, mimeType, sizeBytes: stored.sizeBytes, sha256: stored.sha256, width, height, durationSeconds }
}
