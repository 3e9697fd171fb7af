import type { Readable } from 'node:stream'
import { keepMade, StorageFailed } from '../domain/generations/keepMade.ts'
import type { Generation } from '../entities/Generation.ts'
import { outputBytesMax } from '../providers/fetchOutput.ts'
import { UnfitOutput } from '../providers/provider.ts'
import type { Keep } from './askProvider.ts'
import type { JobContext } from './jobContext.ts'

/** Keeps bytes that come with the answer about a generation. Rejects with {@link UnfitOutput} when they can never be its result. */
export function keeperOf(context: JobContext, generation: Generation): Keep {
  return async (content, mimeType, how) => {
    try {
      await keepMade(context, generation, { content: bounded(content), mimeType, ...how })
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
