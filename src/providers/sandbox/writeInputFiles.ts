import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Failure } from '../../contract/failures/failures.ts'
import type { JobSpec, ProviderInput } from '../provider.ts'
import { fileTooLarge } from './checkSandboxRequest.ts'
import { modelLimits } from './modelLimits.ts'
import type { RenderInput } from './renderTask.ts'

/**
 * Copies the job's inputs into files of `folder`, in order. Returns a failure when one is larger than the model accepts, whatever its
 * metadata says. Rejects when an input cannot be read, and with the reason of `signal`.
 */
export async function writeInputFiles(spec: JobSpec, folder: string, signal: AbortSignal): Promise<RenderInput[] | Failure> {
  const { media } = modelLimits(spec)
  const files: RenderInput[] = []
  for (const [index, input] of spec.inputs.entries()) {
    const path = join(folder, `input-${index}`)
    const { maxBytes } = media[input.field]
    const bytes = await copyUpTo(maxBytes, { input, path, signal })
    if (bytes > maxBytes) return fileTooLarge({ maxBytes }, Math.max(bytes, input.sizeBytes))
    files.push({ path, mimeType: input.mimeType })
  }
  return files
}

/** Copies until `bytesMax` is exceeded, and returns the number of bytes read. */
async function copyUpTo(
  bytesMax: number,
  { input, path, signal }: { input: ProviderInput; path: string; signal: AbortSignal },
): Promise<number> {
  let bytes = 0
  async function* measured(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > bytesMax) return
      yield chunk
    }
  }
  await pipeline(await input.open(), measured, createWriteStream(path), { signal })
  return bytes
}
