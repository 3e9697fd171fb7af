import { randomUUID } from 'node:crypto'
import { limits } from '../contract/limits.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import { readStringPiece, stringStart } from './longString.ts'

/** So much of a body, its long string apart, is looked at as a whole. */
const wholeBytesMax = limits.requestBodyBytes

/** A body whose long string is still coming in. */
export type LongJson = {
  /** What stands before the characters of the string. */
  before: Buffer
  /** Takes the place of the string in {@link bodyWithPlaceholder}. */
  placeholder: string
  /** The string, piece by piece, one character per byte; gives what stands behind it. */
  pieces(): AsyncGenerator<string, Buffer, undefined>
  /** Ends the reading of a body whose pieces nobody takes. */
  leave(): Promise<void>
}

export type LongStringOptions = {
  /** The names of the objects that the string stands in, and its own. */
  path: readonly string[]
  /** What a body is refused with that is too long without the string. */
  bytesMax: number
}

/**
 * Reads a JSON body that may hold one long string. A small body is given as it is. Of a large one only what stands before and behind the
 * string is kept; the string itself goes by in pieces.
 * Refusals, also while the pieces are read: invalid_request, payload_too_large.
 */
export async function readLongJson(source: AsyncIterable<Buffer>, { path, bytesMax }: LongStringOptions): Promise<Buffer | LongJson> {
  const chunks = source[Symbol.asyncIterator]()
  const leave = async () => void (await chunks.return?.())
  const { bytes, ended } = await collect(chunks)
  if (ended) return bytes
  const start = stringStart(bytes, path)
  if (start === undefined) {
    await leave()
    throw new Refusal('payload_too_large', { maxBytes: bytesMax })
  }

  async function* pieces(): AsyncGenerator<string, Buffer, undefined> {
    try {
      return yield* piecesOf(chunks, bytes.subarray(start), bytesMax)
    } finally {
      await leave()
    }
  }

  return { before: bytes.subarray(0, start), placeholder: randomUUID(), pieces, leave }
}

/** The body with a stand-in for its long string; another member of that name, behind it, takes its place. */
export function bodyWithPlaceholder({ before, placeholder }: Pick<LongJson, 'before' | 'placeholder'>, behind: Buffer): Buffer {
  return Buffer.concat([before, Buffer.from(`${placeholder}"`), behind])
}

/** The string that `begun` begins in, piece by piece; gives what stands behind it. */
async function* piecesOf(chunks: AsyncIterator<Buffer>, begun: Buffer, bytesMax: number): AsyncGenerator<string, Buffer, undefined> {
  let piece = readStringPiece(begun)
  while (!piece.isClosed) {
    yield piece.text
    const kept = Buffer.from(piece.rest)
    const next = await chunks.next()
    if (next.done) throw invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body is not valid JSON.' })
    piece = readStringPiece(kept.length === 0 ? next.value : Buffer.concat([kept, next.value]))
  }
  yield piece.text
  const { bytes, ended } = await collect(chunks, piece.rest)
  if (ended) return bytes
  throw new Refusal('payload_too_large', { maxBytes: bytesMax })
}

/** What comes, together with `begun`, up to the end or until it is more than may be looked at as a whole. */
async function collect(chunks: AsyncIterator<Buffer>, begun: Buffer = Buffer.alloc(0)): Promise<{ bytes: Buffer; ended: boolean }> {
  const parts: Buffer[] = [Buffer.from(begun)]
  let length = begun.length
  while (length <= wholeBytesMax) {
    const next = await chunks.next()
    if (next.done) return { bytes: Buffer.concat(parts), ended: true }
    // A chunk lasts until the next is asked for.
    parts.push(Buffer.from(next.value))
    length += next.value.length
  }
  return { bytes: Buffer.concat(parts), ended: false }
}
