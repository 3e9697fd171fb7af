import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

/** A box of ISO base media. Its content is from `start` to `end` of the file, end exclusive. */
export type Box = { type: string; start: number; end: number }

type Range = { start: number; end: number }

const boxesMax = 100_000

/** Reads the boxes in `range`. A box beyond it is {@link Unprocessable} as `corrupt`. */
export function readBoxes(bytes: ByteReader, range: Range): Box[] {
  const boxes: Box[] = []
  for (let offset = range.start; range.end - offset >= 8; ) {
    if (boxes.length >= boxesMax) throw new Unprocessable('too_complex', 'too many boxes')
    const box = readBox(bytes, offset, range.end)
    if (box.end > range.end || box.end < box.start) throw new Unprocessable('corrupt', `box ${box.type} does not fit`)
    boxes.push(box)
    offset = box.end
  }
  return boxes
}

const topLevelTypes = new Set([
  'ftyp',
  'styp',
  'moov',
  'mdat',
  'moof',
  'mfra',
  'meta',
  'idat',
  'free',
  'skip',
  'wide',
  'uuid',
  'sidx',
  'pdin',
  'udta',
  'emsg',
  'prft',
])

/**
 * Reads the top-level boxes of a file. A known box beyond the end of the file is `truncated`. Foreign bytes after a known box are
 * ignored, as players do.
 */
export function readTopLevelBoxes(bytes: ByteReader): Box[] {
  const boxes: Box[] = []
  for (let offset = 0; bytes.sizeBytes - offset >= 8; ) {
    if (boxes.length >= boxesMax) throw new Unprocessable('too_complex', 'too many boxes')
    const box = readBox(bytes, offset, bytes.sizeBytes)
    if (!topLevelTypes.has(box.type) && !/^[\w ]{4}$/.test(box.type)) break
    if (box.end > bytes.sizeBytes) {
      if (topLevelTypes.has(box.type)) throw new Unprocessable('truncated', `box ${box.type} is cut off`)
      break
    }
    if (box.end < box.start) throw new Unprocessable('corrupt', `box ${box.type} has no size`)
    boxes.push(box)
    offset = box.end
  }
  return boxes
}

function readBox(bytes: ByteReader, offset: number, end: number): Box {
  const header = bytes.read(offset, 8)
  const type = header.toString('latin1', 4, 8)
  const size = header.readUInt32BE(0)
  if (size === 0) return { type, start: offset + 8, end }
  if (size !== 1) return { type, start: offset + 8, end: offset + size }
  return { type, start: offset + 16, end: offset + Number(bytes.read(offset + 8, 8).readBigUInt64BE(0)) }
}
