import { type Box, readBoxes, readTopLevelBoxes } from './isoBoxes.ts'
import { type MediaLimits, requirePixels } from './mediaLimits.ts'
import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Returns the displayed size in pixels of the primary image of a HEIC or AVIF, after crop and rotation. Nothing is decoded; truncation
 * shows in the positions of the stored items.
 */
export function inspectHeif(bytes: ByteReader, limits: MediaLimits): { width: number; height: number } {
  const top = readTopLevelBoxes(bytes)
  const meta = readChildren(bytes, find(top, 'meta'), 4)
  checkItemsInside(bytes, find(meta, 'iloc'))
  const primary = readPrimaryItem(bytes, find(meta, 'pitm'))
  const properties = readChildren(bytes, find(meta, 'iprp'))
  const described = readChildren(bytes, find(properties, 'ipco'))
  const size = sizeOf(
    bytes,
    readAssociations(bytes, find(properties, 'ipma'), primary).map((index) => described[index - 1]),
  )
  requirePixels(size, limits)
  return size
}

function find(boxes: Box[], type: string): Box {
  const box = boxes.find((candidate) => candidate.type === type)
  if (box === undefined) throw new Unprocessable('corrupt', `no box ${type}`)
  return box
}

function readChildren(bytes: ByteReader, box: Box, skip = 0): Box[] {
  return readBoxes(bytes, { start: box.start + skip, end: box.end })
}

const contentBytesMax = 1_048_576

function readContent(bytes: ByteReader, box: Box): Buffer {
  if (box.end - box.start > contentBytesMax) throw new Unprocessable('too_complex', `box ${box.type} is too large`)
  return bytes.read(box.start, box.end - box.start)
}

function readPrimaryItem(bytes: ByteReader, box: Box): number {
  const content = readContent(bytes, box)
  return content.readUInt8(0) === 0 ? content.readUInt16BE(4) : content.readUInt32BE(4)
}

/** The 1-based indexes of the properties of `item`. */
function readAssociations(bytes: ByteReader, box: Box, item: number): number[] {
  const content = readContent(bytes, box)
  const wideItem = content.readUInt8(0) >= 1
  const wideIndex = (content.readUInt8(3) & 1) === 1
  let offset = 8
  for (let entries = content.readUInt32BE(4); entries > 0; entries -= 1) {
    const id = wideItem ? content.readUInt32BE(offset) : content.readUInt16BE(offset)
    offset += wideItem ? 4 : 2
    const count = content.readUInt8(offset)
    offset += 1
    const width = wideIndex ? 2 : 1
    const mask = wideIndex ? 0x7fff : 0x7f
    const start = offset
    offset += count * width
    if (id === item) return Array.from({ length: count }, (_, index) => content.readUIntBE(start + index * width, width) & mask)
  }
  throw new Unprocessable('corrupt', 'the primary image has no properties')
}

/** Applies the transforming properties in their order, as the format requires. */
function sizeOf(bytes: ByteReader, properties: (Box | undefined)[]): { width: number; height: number } {
  let width = 0
  let height = 0
  for (const property of properties) {
    if (property === undefined) throw new Unprocessable('corrupt', 'a missing property')
    if (property.type === 'ispe') {
      const content = readContent(bytes, property)
      width = content.readUInt32BE(4)
      height = content.readUInt32BE(8)
    } else if (property.type === 'clap') {
      const content = readContent(bytes, property)
      width = cropped(width, content.readUInt32BE(0), content.readUInt32BE(4))
      height = cropped(height, content.readUInt32BE(8), content.readUInt32BE(12))
    } else if (property.type === 'irot' && readContent(bytes, property).readUInt8(0) & 1) {
      const before = width
      width = height
      height = before
    }
  }
  if (width === 0 || height === 0) throw new Unprocessable('corrupt', 'an image without a size')
  return { width, height }
}

function cropped(length: number, numerator: number, denominator: number): number {
  const wanted = denominator === 0 ? 0 : Math.round(numerator / denominator)
  if (wanted < 1 || wanted > length) throw new Unprocessable('corrupt', 'a crop that does not fit')
  return wanted
}

const itemsMax = 100_000

/** Checks that all extents of items are inside the file. */
function checkItemsInside(bytes: ByteReader, box: Box): void {
  const content = readContent(bytes, box)
  const version = content.readUInt8(0)
  const offsetWidth = content.readUInt8(4) >> 4
  const lengthWidth = content.readUInt8(4) & 15
  const baseWidth = content.readUInt8(5) >> 4
  const indexWidth = version > 0 ? content.readUInt8(5) & 15 : 0
  let at = 6
  const next = (width: number): number => {
    if (width > 8 || at + width > content.length) throw new Unprocessable('corrupt', 'the list of items is cut off')
    const value = width === 0 ? 0 : Number(BigInt(`0x${content.toString('hex', at, at + width)}`))
    at += width
    return value
  }
  const items = next(version < 2 ? 2 : 4)
  if (items > itemsMax) throw new Unprocessable('too_complex', 'too many items')
  for (let item = 0; item < items; item += 1) {
    next(version < 2 ? 2 : 4)
    const method = version > 0 ? next(2) & 15 : 0
    next(2)
    const base = next(baseWidth)
    for (let extents = next(2); extents > 0; extents -= 1) {
      next(indexWidth)
      const start = base + next(offsetWidth)
      const end = start + next(lengthWidth)
      if (method === 0 && end > bytes.sizeBytes) throw new Unprocessable('truncated', 'an item is cut off')
    }
  }
}
