import type { FormatName } from '../mediaFormats.ts'
import { checkRiffComplete } from './checkRiffComplete.ts'
import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Checks that the file has the end marker of its format. A decoder stops at the first frame and does not notice a missing end.
 * A missing end is `truncated`.
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

/** Small enough for the read-ahead window. */
const pieceBytes = 16_384

/** Segments have a length. In the coded data between them a marker byte is always followed by zero or a restart marker. */
function walkJpeg(bytes: ByteReader): void {
  let offset = 2
  for (let count = 0; count < partsMax; count += 1) {
    offset = findMarker(bytes, offset)
    const marker = bytes.read(offset + 1, 1).readUInt8(0)
    if (marker === 0xd9) return
    offset += 2 + (hasLength(marker) ? bytes.read(offset + 2, 2).readUInt16BE(0) : 0)
  }
  throw new Unprocessable('too_complex', 'too many segments')
}

function findMarker(bytes: ByteReader, start: number): number {
  for (let offset = start; offset < bytes.sizeBytes; offset += pieceBytes) {
    const piece = bytes.readUpTo(offset, pieceBytes + 1)
    for (let at = piece.indexOf(0xff); at !== -1 && at < pieceBytes; at = piece.indexOf(0xff, at + 1)) {
      const marker = piece[at + 1] ?? 0
      if (marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return offset + at
    }
  }
  throw new Unprocessable('truncated', 'no end')
}

function hasLength(marker: number): boolean {
  return marker !== 0x01 && marker !== 0xd8
}

function walkGif(bytes: ByteReader): void {
  let offset = 13 + colourTableBytes(bytes.read(10, 1).readUInt8(0))
  for (let count = 0; count < partsMax; count += 1) {
    const marker = bytes.read(offset, 1).readUInt8(0)
    if (marker === 0x3b) return
    if (marker === 0x21) offset = skipSubBlocks(bytes, offset + 2)
    else if (marker === 0x2c) offset = skipSubBlocks(bytes, offset + 11 + colourTableBytes(bytes.read(offset + 9, 1).readUInt8(0)))
    else throw new Unprocessable('corrupt', 'a block is missing')
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
