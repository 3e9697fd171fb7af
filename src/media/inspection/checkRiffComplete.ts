import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

/** Sizes that writers use for streams of unknown length. */
const unknownSizes = new Set([0, 0xffff_ffff, 0x7fff_ffff])

/** Refuses a RIFF file (WebP, WAV) as `truncated` when it is shorter than its header says. The last padding byte may be missing. */
export function checkRiffComplete(bytes: ByteReader): void {
  const size = bytes.read(4, 4).readUInt32LE(0)
  if (!unknownSizes.has(size) && 8 + (size & ~1) > bytes.sizeBytes) throw new Unprocessable('truncated', 'shorter than its header says')
}

/** Integer and floating-point PCM, A-law, µ-law, and the extended header, which has one of these. */
const codecs = new Set([1, 3, 6, 7, 0xfffe])

/** Like {@link checkRiffComplete}, for the samples of a WAV file: its outer size is often wrong while the inner one is right. */
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
