import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Failure } from '../contract/failures.ts'
import { endGeneration } from '../domain/generations/endGeneration.ts'
import { isUndecided, type Measured } from '../media/inspected.ts'
import type { Collected, Output } from '../providers/provider.ts'
import { temporaryName } from '../storage/temporaryFiles.ts'
import type { JobServices } from './jobContext.ts'
import { jobSpecOf } from './jobSpec.ts'
import { isPastDeadline, pauseSeconds, runStep, type Step } from './step.ts'
import { whileWanted } from './whileWanted.ts'

/** How often fetching or storing is tried before the generation fails. */
const triesMax = 5

/**
 * finalizing → ready: fetches the output, looks at it, keeps it in our storage, and only then charges. A result that is not what it
 * should be, or cannot be kept, fails and costs nothing.
 */
export async function finaliseGeneration(jobs: JobServices, { generationId }: { generationId: string }): Promise<void> {
  await runStep(jobs, generationId, { task: 'finaliseGeneration', from: ['finalizing'] }, async (step) => {
    const [output] = (step.claim.outputs ?? []) as Output[]
    if (!output) return step.fail({ code: 'provider_error', reason: 'result_expired' })
    const path = join(step.context.settings.temporaryFolder, temporaryName())
    try {
      await finalise(jobs, step, output, path)
    } catch (error) {
      await repeatOrFail(jobs, step, error)
    } finally {
      await rm(path, { force: true })
    }
  })
}

async function finalise(jobs: JobServices, step: Step, output: Output, path: string): Promise<void> {
  const { context, claim } = step
  const { id, fence, outputType } = claim.generation
  const failure = await fetchTo(jobs, step, output, path)
  if (failure) return step.fail(failure)
  const inspected = await context.inspector.inspect(path, { owner: 'results' })
  if (isUndecided(inspected)) throw new Error('the result could not be inspected')
  if (!inspected.ok || inspected.type !== outputType) {
    context.log.error({ generationId: id, provider: step.provider.id, inspected }, 'the provider gave something else than a result')
    return step.fail({ code: 'provider_error', reason: 'provider_failed' })
  }
  const key = `results/${id}/${fence}`
  const stored = await context.storage.put(key, createReadStream(path), { contentType: inspected.mimeType })
  const ended = await endGeneration(context, id, { from: ['finalizing'], fence, to: 'ready', result: resultOf(inspected, stored) })
  if (!ended) await context.storage.remove(key)
}

/** Fetches the bytes into a file of ours; gives the failure when the provider has none to give. */
async function fetchTo(jobs: JobServices, step: Step, output: Output, path: string): Promise<Failure | undefined> {
  const { context, claim, provider, variant } = step
  const spec = await jobSpecOf(context, claim, variant)
  return whileWanted(context, claim.generation.id, jobs.shutdown, async (signal) => {
    const collected: Collected = await provider.collect(output, spec, { signal, clock: context.clock })
    if (collected.state === 'failed') return collected.failure
    await pipeline(collected.stream, createWriteStream(path), { signal })
    return undefined
  })
}

async function repeatOrFail(jobs: JobServices, step: Step, error: unknown): Promise<void> {
  const { generation, timesBegun } = step.claim
  if (jobs.shutdown.aborted) return step.later(0)
  step.context.log.warn({ generationId: generation.id, provider: step.provider.id, error: String(error) }, 'the result could not be kept')
  if (timesBegun >= triesMax || isPastDeadline(step)) return step.fail({ code: 'internal_error', reason: 'storage_failed' })
  return step.tryAgain(pauseSeconds(timesBegun))
}

function resultOf(inspected: Measured, stored: { key: string; sizeBytes: number; sha256: string }) {
  const { mimeType, width, height, durationSeconds } = inspected
  return { storageKey: stored.key, mimeType, sizeBytes: stored.sizeBytes, sha256: stored.sha256, width, height, durationSeconds }
}
