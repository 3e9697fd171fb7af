import type { Readable } from 'node:stream'
import { StorageFailed, stageOutput } from '../../domain/generations/results/stageOutput.ts'
import type { Generation } from '../../entities/Generation.ts'
import { outputBytesMax } from '../../providers/outputs/fetchOutput.ts'
import { UnfitOutput } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'
import type { StageOutput } from './openProviderCall.ts'

/** Stores bytes that arrive with an answer about a generation. Rejects with {@link UnfitOutput} if they can never be its result. */
export function outputStager(context: JobContext, generation: Generation): StageOutput {
  return async (content, mimeType, options) => {
    try {
      await stageOutput(context, generation, { content: bounded(content), mimeType, ...options })
      return { data: null, mimeType, kept: true }
    } catch (error) {
      throw error instanceof StorageFailed ? new UnfitOutput({ code: 'internal_error', reason: 'storage_failed' }, error) : error
    }
  }
}

async function* bounded(content: Uint8Array | Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of content instanceof Uint8Array ? [content] : (content as AsyncIterable<Uint8Array>)) {
    bytes += chunk.length
    if (bytes > outputBytesMax) {
      throw new UnfitOutput({ code: 'provider_error', reason: 'provider_failed' }, new Error(`more than ${outputBytesMax} bytes`))
    }
    yield chunk
  }
}
