import type { FormatName } from '../mediaFormats.ts'
import { checkRiffComplete } from './checkRiffComplete.ts'
import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Looks for the end that the format prescribes, since a decoder stops at the first frame and does not miss what follows.
 * A file that ends before is `truncated`.
 */
export function checkImageComplete(bytes: ByteReader, format: FormatName): void {
  if (format === 'png') walkPng(bytes)
  else if (format === 'jpeg') walkJpeg(bytes)
  else if (format === 'gif') walkGif(bytes)
  else if (format === 'webp') checkRiffComplete(bytes)
}

const partsMax = 1_000_000

function walkPng(bytes: ByteReader): void {
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

/** Small enough to come out of what was read ahead. */
const pieceBytes = 16_384

/** Segments tell their length; between them lies coded data, in which a mark is always followed by zero or a restart. */
function walkJpeg(bytes: ByteReader): void {
  let offset = 2
  for (let count = 0; count < partsMax; count += 1) {
    offset = findMarker(bytes, offset)
    const kind = bytes.read(offset + 1, 1).readUInt8(0)
    if (kind === 0xd9) return
    offset += 2 + (hasLength(kind) ? bytes.read(offset + 2, 2).readUInt16BE(0) : 0)
  }
  throw new Unprocessable('too_complex', 'too many segments')
}

function findMarker(bytes: ByteReader, start: number): number {
  for (let offset = start; offset < bytes.sizeBytes; offset += pieceBytes) {
    const piece = bytes.readUpTo(offset, pieceBytes + 1)
    for (let at = piece.indexOf(0xff); at !== -1 && at < pieceBytes; at = piece.indexOf(0xff, at + 1)) {
      const kind = piece[at + 1] ?? 0
      if (kind !== 0 && kind !== 0xff && !(kind >= 0xd0 && kind <= 0xd7)) return offset + at
    }
  }
  throw new Unprocessable('truncated', 'no end')
}

function hasLength(kind: number): boolean {
  return kind !== 0x01 && kind !== 0xd8
}

function walkGif(bytes: ByteReader): void {
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

function skipSubBlocks(bytes: ByteReader, start: number): number {
  let offset = start
  for (;;) {
    const size = bytes.read(offset, 1).readUInt8(0)
    offset += 1 + size
    if (size === 0) return offset
  }
}
