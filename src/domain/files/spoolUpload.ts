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
import { callInspector, inspectionRefusal } from './callInspector.ts'

/** Complete content in a temporary file. `sha256` is lowercase hexadecimal. */
export type SpooledUpload = {
  path: string
  sizeBytes: number
  sha256: string
  /**
   * The format by the first bytes. Present only when the content is longer than these.
   * Refusals: service_unavailable.
   */
  recognised?: () => Promise<Detected>
}

/** Incoming content, its owner, and the signal that aborts it. */
export type UploadStream = { chunks: AsyncIterable<Uint8Array>; ownerId: string; signal: AbortSignal }

/**
 * Streams content into a temporary file, passes it to `work` and always deletes it afterwards. The size limit is enforced while reading.
 * The inspector checks the first bytes while more arrive; content of an unsupported format is refused then.
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
  const format = detection?.format
  return format ? { ...received, recognised: () => callInspector(format) } : received
}

type Detection = { format: Promise<Detected>; refusal?: Refusal }

/** Runs beside the upload, which does not wait for it. */
function startDetection(context: Context, head: Buffer, { ownerId, signal }: UploadStream): Detection {
  const detection: Detection = { format: context.inspector.recognise(head, { owner: ownerId, signal }) }
  detection.format.then(
    ({ candidates, mimeType }) => {
      // A binary STL has no signature and is recognised by its size, which is unknown yet. So this content is not refused here.
      const mayBeStl = mimeType === null || mimeType === 'model/stl'
      if (candidates.length === 0 && !mayBeStl) detection.refusal = inspectionRefusal(unsupported(mimeType, undefined), null)
    },
    () => undefined,
  )
  return detection
}
