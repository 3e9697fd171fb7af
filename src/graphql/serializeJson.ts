import type { CooperativeScheduler } from '../concurrency/cooperativeScheduler.ts'
import { joinPieces } from '../transport/releaseBuffer.ts'

type Limits = { scheduler: CooperativeScheduler; bytesMax: number }

/** The approximate size of the pieces in which text is encoded and measured. */
const pieceCharacters = 65_536

/**
 * Serializes a value as JSON in pieces, and yields to the event loop between them. Returns `undefined` as soon as the JSON is longer than
 * `bytesMax`. `value` consists of plain objects, arrays and values that JSON.stringify writes as a leaf.
 */
export async function serializeJson(value: unknown, { scheduler, bytesMax }: Limits): Promise<Buffer<ArrayBuffer> | undefined> {
  const pieces: Buffer<ArrayBuffer>[] = []
  let bytes = 0
  let text = ''
  let piecesAtLastYield = 0
  const flush = () => {
    const piece = Buffer.from(text)
    pieces.push(piece)
    bytes += piece.length
    text = ''
  }
  for (const part of jsonTexts(value)) {
    // A long text becomes its own piece, because joining it to others would copy it again.
    if (text.length + part.length > pieceCharacters) flush()
    text += part
    if (bytes > bytesMax) return undefined
    if (pieces.length > piecesAtLastYield) await scheduler.waitForSlice()
    piecesAtLastYield = pieces.length
  }
  flush()
  return bytes > bytesMax ? undefined : joinPieces(pieces)
}

function* jsonTexts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '['
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ','
      yield* jsonTexts(item ?? null)
    }
    yield ']'
  } else if (isPlainObject(value)) {
    let separator = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* jsonTexts(member)
      separator = ','
    }
    yield separator === '{' ? '{}' : '}'
  } else yield JSON.stringify(value) ?? 'null'
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
