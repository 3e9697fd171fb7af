import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

/** Sizes that writers leave when they never learn how long the stream gets. */
const unknownSizes = new Set([0, 0xffff_ffff, 0x7fff_ffff])

/**
 * Refuses a RIFF file (WebP, WAV) as `truncated` when it is shorter than it says. The last chunk may lack its padding byte.
 */
export function checkRiffComplete(bytes: ByteReader): void {
  const size = bytes.read(4, 4).readUInt32LE(0)
  if (!unknownSizes.has(size) && 8 + (size & ~1) > bytes.sizeBytes) throw new Unprocessable('truncated', 'shorter than its header says')
}

/** Whole numbers, floating point, A-law, µ-law, and the extended header that names one of them. */
const codecs = new Set([1, 3, 6, 7, 0xfffe])

/** As {@link checkRiffComplete}, for the samples of a WAV file too, whose outer size is often wrong where the inner one is right. */
export function checkWaveComplete(bytes: ByteReader): void {
  for (let offset = 12; offset + 8 <= bytes.sizeBytes; ) {
    const header = bytes.read(offset, 8)
    const size = header.readUInt32LE(4)
    const name = header.toString('latin1', 0, 4)
    if (name === 'fmt ' && !codecs.has(bytes.read(offset + 8, 2).readUInt16LE(0))) {
      throw new Unprocessable('unsupported_codec', 'compressed samples')
    }
    if (name === 'data') {
      if (!unknownSizes.has(size) && offset + 8 + size > bytes.sizeBytes) throw new Unprocessable('truncated', 'the samples are cut off')
      return
    }
    offset += 8 + size + (size & 1)
  }
  throw new Unprocessable('truncated', 'the samples are missing')
}
