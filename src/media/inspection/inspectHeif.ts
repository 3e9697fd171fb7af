import { type Box, readBoxes, readTopLevelBoxes } from './isoBoxes.ts'
import { type MediaLimits, requirePixels } from './mediaLimits.ts'
import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Returns the displayed size in pixels of the primary image of a HEIC or AVIF, after crop and rotation. Nothing is decoded.
 * Refuses a file as truncated when one of its items would end after the end of the file.
 */
export function inspectHeif(bytes: ByteReader, limits: MediaLimits): { width: number; height: number } {
  const top = readTopLevelBoxes(bytes)
  const meta = readChildren(bytes, find(top, 'meta'), versionAndFlagsBytes)
  checkItemsInside(bytes, find(meta, 'iloc'))
  const primary = readPrimaryItem(bytes, find(meta, 'pitm'))
  const itemProperties = readChildren(bytes, find(meta, 'iprp'))
  const properties = readChildren(bytes, find(itemProperties, 'ipco'))
  const size = sizeOf(
    bytes,
    readAssociations(bytes, find(itemProperties, 'ipma'), primary).map((index) => properties[index - 1]),
  )
  requirePixels(size, limits)
  return size
}

/** The children of a `meta` box follow its version and flags. */
const versionAndFlagsBytes = 4

function find(boxes: Box[], type: string): Box {
  const box = boxes.find((candidate) => candidate.type === type)
  if (box === undefined) throw new Unprocessable('corrupt', `no box ${type}`)
  return box
}

function readChildren(bytes: ByteReader, box: Box, skippedBytes = 0): Box[] {
  return readBoxes(bytes, { start: box.start + skippedBytes, end: box.end })
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
  const itemIdWidth = content.readUInt8(0) >= 1 ? 4 : 2
  const width = (content.readUInt8(3) & 1) === 1 ? 2 : 1
  // The highest bit of an association states whether the property is essential; the others are its index.
  const indexMask = width === 2 ? 0x7fff : 0x7f
  let offset = 8
  for (let entries = content.readUInt32BE(4); entries > 0; entries -= 1) {
    const id = content.readUIntBE(offset, itemIdWidth)
    offset += itemIdWidth
    const count = content.readUInt8(offset)
    offset += 1
    const start = offset
    offset += count * width
    if (id === item) return Array.from({ length: count }, (_, index) => content.readUIntBE(start + index * width, width) & indexMask)
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
  const croppedLength = denominator === 0 ? 0 : Math.round(numerator / denominator)
  if (croppedLength < 1 || croppedLength > length) throw new Unprocessable('corrupt', 'a crop that does not fit')
  return croppedLength
}

const itemsMax = 100_000

/** In an item with this construction method, offsets count from the start of the file. */
const fileOffsetMethod = 0

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
    next(version < 2 ? 2 : 4) // item id
    const method = version > 0 ? next(2) & 15 : 0
    next(2) // data reference index
    const base = next(baseWidth)
    for (let extents = next(2); extents > 0; extents -= 1) {
      next(indexWidth) // extent index
      const start = base + next(offsetWidth)
      const end = start + next(lengthWidth)
      if (method === fileOffsetMethod && end > bytes.sizeBytes) throw new Unprocessable('truncated', 'an item is cut off')
    }
  }
}
