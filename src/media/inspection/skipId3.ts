import { id3Bytes } from '../detectFormat.ts'
import type { ByteReader } from './openByteReader.ts'

const tagsMax = 16

/** Offset of the content after the ID3 tags of an audio file, at most the end of the file. */
export function skipId3(bytes: ByteReader): number {
  let offset = 0
  for (let tags = 0; tags < tagsMax; tags += 1) {
    const header = bytes.readUpTo(offset, 10)
    if (header.length < 10 || header.toString('latin1', 0, 3) !== 'ID3') return offset
    const end = offset + id3Bytes(header)
    if (end > bytes.sizeBytes) return offset
    offset = end
  }
  return offset
}
