import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Counts and hashes `source` while `chunks` is read. Call `result` once, after the end. `sha256` is lowercase hexadecimal. */
export function measure(source: Readable) {
  const hash = createHash('sha256')
  let sizeBytes = 0

  async function* read(): AsyncGenerator<Buffer, void, undefined> {
    for await (const part of source) {
      const chunk: Buffer = Buffer.isBuffer(part) ? part : Buffer.from(part)
      hash.update(chunk)
      sizeBytes += chunk.length
      yield chunk
    }
  }

  return { chunks: read(), result: () => ({ sizeBytes, sha256: hash.digest('hex') }) }
}
