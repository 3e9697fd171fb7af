import type { FormatName } from '../mediaKinds.ts'
import type { Bytes } from './openBytes.ts'
import { Unprocessable } from './unprocessable.ts'
import { checkWholeRiff } from './wholeRiff.ts'

/**
 * Looks for the end that the format prescribes, since a decoder stops at the first frame and does not miss what follows.
 * A file that ends before is `truncated`. JPEG has no such walk: its decoder reads all of it.
 */
export function checkWholeImage(bytes: Bytes, format: FormatName): void {
  if (format === 'png') walkPng(bytes)
  else if (format === 'gif') walkGif(bytes)
  else if (format === 'webp') checkWholeRiff(bytes)
}

const partsMax = 1_000_000

function walkPng(bytes: Bytes): void {
  let offset = 8
  for (let count = 0; count < partsMax; count += 1) {
    const header = bytes.read(offset, 8)
    const end = offset + 12 + header.readUInt32BE(0)
    if (end > bytes.sizeBytes) throw new Unprocessable('truncated', 'a chunk is cut off')
    if (header.toString('latin1', 4) === 'IEND') return
    offset = end
  }
  throw new Unprocessable('too_complex', 'too many chunks')
}

function walkGif(bytes: Bytes): void {
  let offset = 13 + colourTableBytes(bytes.read(10, 1).readUInt8(0))
  for (let count = 0; count < partsMax; count += 1) {
    const kind = bytes.read(offset, 1).readUInt8(0)
    if (kind === 0x3b) return
    if (kind === 0x21) offset = skipSubBlocks(bytes, offset + 2)
    else if (kind === 0x2c) offset = skipSubBlocks(bytes, offset + 11 + colourTableBytes(bytes.read(offset + 9, 1).readUInt8(0)))
    else throw new Unprocessable('corrupt', 'no block where one must be')
  }
  throw new Unprocessable('too_complex', 'too many blocks')
}

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function skipSubBlocks(bytes: Bytes, start: number): number {
  let offset = start
  for (;;) {
    const size = bytes.read(offset, 1).readUInt8(0)
    offset += 1 + size
    if (size === 0) return offset
  }
}
