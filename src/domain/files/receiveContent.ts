import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals.ts'
import { type Detected, headBytes } from '../../media/detectFormat.ts'
import { unsupported } from '../../media/inspected.ts'
import type { FormatName } from '../../media/mediaFormats.ts'
import { temporaryName } from '../../storage/temporaryFiles.ts'
import type { Context } from '../context.ts'
import { batchWriter } from './batchWriter.ts'
import { refusalOfInspected } from './refusalOfInspected.ts'

/** Content that lies whole in a temporary file. `sha256` is lowercase hexadecimal. */
export type Received = { path: string; sizeBytes: number; sha256: string; detected: Accepted }

/** A signature that at least one accepted format has, the likeliest first. */
export type Accepted = Detected & { candidates: readonly [FormatName, ...FormatName[]] }

/**
 * Streams content into a temporary file, hands that to `work` and removes it afterwards, whatever happens. The limit is enforced while
 * reading, and content that is recognised as something unaccepted is refused as soon as its first bytes are there.
 * Refusals: payload_too_large; unsupported_file_format for no bytes at all and for what is not accepted; those of the source.
 */
export async function receiveContent<Result>(
  context: Context,
  chunks: AsyncIterable<Uint8Array>,
  work: (received: Received) => Promise<Result>,
): Promise<Result> {
  const path = join(context.settings.temporaryFolder, temporaryName())
  try {
    return await work(await write(context, chunks, path))
  } finally {
    await rm(path, { force: true })
  }
}

async function write(context: Context, chunks: AsyncIterable<Uint8Array>, path: string): Promise<Received> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  const writer = batchWriter(file, (bytes) => hash.update(bytes))
  let head: Buffer = Buffer.alloc(0)
  let sizeBytes = 0
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > limits.fileBytes) throw new Refusal('payload_too_large', { maxBytes: limits.fileBytes })
      await writer.write(chunk)
      if (head.length >= headBytes) continue
      head = Buffer.concat([head, chunk]).subarray(0, headBytes)
      if (head.length === headBytes) await refuseForeign(context, head)
    }
    await writer.end()
  } finally {
    await writer.settle()
    await file.close()
  }
  const detected = await context.inspector.detect(head, sizeBytes)
  const [likeliest, ...others] = detected.candidates
  if (likeliest === undefined) throw refusalOfInspected(unsupported(detected.mimeType, undefined), null)
  return { path, sizeBytes, sha256: hash.digest('hex'), detected: { ...detected, candidates: [likeliest, ...others] } }
}

/** Before the size is known nothing is said against content without a signature: a binary STL is known by its size. */
async function refuseForeign(context: Context, head: Buffer): Promise<void> {
  const detected = await context.inspector.detect(head)
  const mayBeStl = detected.mimeType === null || detected.mimeType === 'model/stl'
  if (detected.candidates.length === 0 && !mayBeStl) throw refusalOfInspected(unsupported(detected.mimeType, undefined), null)
}
