import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

type Element = { id: number; start: number; end: number | undefined }

const ids = { segment: 0x18538067, cluster: 0x1f43b675 }
const elementsMax = 1_000_000

/**
 * Walks the elements of a WebM file. An element beyond the end of the file is `truncated`. Segments and clusters of unknown size, as live
 * recorders write them, are walked by their children.
 */
export function checkEbmlComplete(bytes: ByteReader): void {
  let offset = 0
  for (let count = 0; offset < bytes.sizeBytes; count += 1) {
    if (count >= elementsMax) throw new Unprocessable('too_complex', 'too many elements')
    const element = readElement(bytes, offset)
    const isContainer = element.id === ids.segment || element.id === ids.cluster
    if (element.end === undefined && !isContainer) throw new Unprocessable('corrupt', 'an element of unknown size')
    if (element.end !== undefined && element.end > bytes.sizeBytes) throw new Unprocessable('truncated', 'an element is cut off')
    const descend = element.id === ids.segment || (element.id === ids.cluster && element.end === undefined)
    offset = descend ? element.start : (element.end ?? element.start)
  }
}

function readElement(bytes: ByteReader, offset: number): Element {
  const head = bytes.readUpTo(offset, 12)
  const idLength = Math.clz32(head[0] ?? 0) - 23
  if (idLength > 4) throw new Unprocessable('corrupt', 'an element is missing')
  const sizeLength = Math.clz32(head[idLength] ?? 0) - 23
  if (sizeLength > 8) throw new Unprocessable('corrupt', 'an element without a size')
  const start = idLength + sizeLength
  if (head.length < start) throw new Unprocessable('truncated', 'an element is cut off')
  const id = head.readUIntBE(0, idLength)
  const sizeBits = head.subarray(idLength, start)
  const size = BigInt(`0x${sizeBits.toString('hex')}`) & ((1n << BigInt(7 * sizeLength)) - 1n)
  const unknown = size === (1n << BigInt(7 * sizeLength)) - 1n
  return { id, start: offset + start, end: unknown ? undefined : offset + start + Number(size) }
}
