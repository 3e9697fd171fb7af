import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { type Detected, headBytes } from '../../media/detectFormat.ts'
import { unsupported } from '../../media/inspectionResult.ts'
import { temporaryName } from '../../storage/temporaryFiles.ts'
import type { Context } from '../context.ts'
import { batchWriter } from './batchWriter.ts'
import { callInspector } from './callInspector.ts'
import { inspectionRefusal } from './inspectionRefusal.ts'

/** Content that lies whole in a temporary file. `sha256` is lowercase hexadecimal. */
export type SpooledUpload = {
  path: string
  sizeBytes: number
  sha256: string
  /**
   * What its first bytes say, of content that has more than the inspector needs for that.
   * Refusals: service_unavailable.
   */
  recognised?: () => Promise<Detected>
}

/** Content on its way, whose it is, and the end of the wait for it. */
export type UploadStream = { chunks: AsyncIterable<Uint8Array>; ownerId: string; signal: AbortSignal }

/**
 * Streams content into a temporary file, hands that to `work` and removes it afterwards, whatever happens. The limit is enforced while
 * reading. The inspector looks at the first bytes while more come, and content that it takes for something unaccepted is refused then.
 * Refusals: payload_too_large; unsupported_file_format; those of the source.
 */
export async function spoolUpload<Result>(
  context: Context,
  sender: UploadStream,
  work: (received: SpooledUpload) => Promise<Result>,
): Promise<Result> {
  const path = join(context.settings.temporaryFolder, temporaryName())
  try {
    return await work(await write(context, sender, path))
  } finally {
    await rm(path, { force: true })
  }
}

async function write(context: Context, sender: UploadStream, path: string): Promise<SpooledUpload> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  const writer = batchWriter(file, (bytes) => hash.update(bytes))
  let head: Buffer = Buffer.alloc(0)
  let detection: Detection | undefined
  let sizeBytes = 0
  try {
    for await (const chunk of sender.chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > limits.fileBytes) throw new Refusal('payload_too_large', { maxBytes: limits.fileBytes })
      await writer.write(chunk)
      if (detection?.refusal) throw detection.refusal
      if (detection) continue
      head = Buffer.concat([head, chunk]).subarray(0, headBytes)
      if (head.length === headBytes) detection = startDetection(context, head, sender)
    }
    await writer.end()
  } finally {
    await writer.settle()
    await file.close()
  }
  const received = { path, sizeBytes, sha256: hash.digest('hex') }
  const asked = detection?.asked
  return asked ? { ...received, recognised: () => callInspector(asked) } : received
}

type Detection = { asked: Promise<Detected>; refusal?: Refusal }

/** Nobody waits for it while content comes, so that it costs an upload no time. */
function startDetection(context: Context, head: Buffer, { ownerId, signal }: UploadStream): Detection {
  const detection: Detection = { asked: context.inspector.recognise(head, { owner: ownerId, signal }) }
  detection.asked.then(
    ({ candidates, mimeType }) => {
      // Before the size is known nothing is said against content without a signature: a binary STL is known by its size.
      const mayBeStl = mimeType === null || mimeType === 'model/stl'
      if (candidates.length === 0 && !mayBeStl) detection.refusal = inspectionRefusal(unsupported(mimeType, undefined), null)
    },
    () => undefined,
  )
  return detection
}
