import type { Readable } from 'node:stream'
import type { Json } from '../../contract/json.ts'
import { type StagedOutput, StorageFailed, stageOutput } from '../../domain/generations/results/stageOutput.ts'
import type { Generation } from '../../entities/Generation.ts'
import { redactVendorFields } from '../../providers/connector/redactVendorText.ts'
import { outputBytesMax } from '../../providers/outputs/fetchOutput.ts'
import { type ProviderLog, type ProviderMethod, UnfitOutput } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { openProviderCall, type ProviderCall, type StageOutput } from './openProviderCall.ts'
import { removeStagedFile, type Step } from './step.ts'

/**
 * Opens a call to the step's provider. The time limit of the method, the deadline and the signals in `abortOn` abort it.
 * `collect` ignores the deadline: the vendor has already made the result.
 */
export function openStepCall(step: Step, method: ProviderMethod, abortOn: AbortSignal[]): ProviderCall {
  const { context, provider, variant, claim } = step
  const { familyId, deadlineAt } = claim.generation
  return openProviderCall(provider, method, {
    clock: context.clock,
    metrics: context.metrics,
    deadlineAt: method === 'collect' ? null : deadlineAt,
    abortOn,
    log: redactedLog(step),
    stage: trackingStager(step),
    attributes: { 'atelier.provider': provider.id, 'atelier.family': familyId, 'atelier.variant': variant.modelId },
  })
}

function redactedLog({ context, claim, provider }: Step): ProviderLog {
  const { id, prompt, parameters } = claim.generation
  const requestText = { prompt, parameters: parameters as Record<string, Json> }
  return {
    warn(fields, message) {
      // The log drops fields that are not on its list, so the fields are logged as one string.
      const vendorText = JSON.stringify(redactVendorFields(fields, requestText))
      context.log.warn({ generationId: id, provider: provider.id, said: vendorText }, message)
    },
  }
}

function trackingStager(step: Step): StageOutput {
  const stage = outputStager(step.context, step.claim.generation, async (staged) => {
    await removeStagedFile(step)
    step.staged = staged
  })
  return (...output) => {
    step.hasStagedOutput = true
    return stage(...output)
  }
}

/**
 * Stores bytes that arrive with an answer about a generation, and hands them to `onStaged`. Rejects with {@link UnfitOutput} if they can
 * never be its result.
 */
function outputStager(context: JobContext, generation: Generation, onStaged: (staged: StagedOutput) => Promise<void>): StageOutput {
  return async (content, mimeType, options) => {
    try {
      await onStaged(await stageOutput(context, generation, { content: bounded(content, context.outputBytesMax), mimeType, ...options }))
      return { data: null, mimeType, kept: true }
    } catch (error) {
      throw error instanceof StorageFailed ? new UnfitOutput({ code: 'internal_error', reason: 'storage_failed' }, error) : error
    }
  }
}

async function* bounded(content: Uint8Array | Readable, bytesMax = outputBytesMax): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of content instanceof Uint8Array ? [content] : (content as AsyncIterable<Uint8Array>)) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      throw new UnfitOutput({ code: 'provider_error', reason: 'provider_failed' }, new Error(`more than ${bytesMax} bytes`))
    }
    yield chunk
  }
}
