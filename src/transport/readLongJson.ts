import { randomUUID } from 'node:crypto'
import { limits } from '../contract/limits.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import { readStringPiece, stringStart } from './longString.ts'

/** Limit of the bytes of a body without its long string. */
const wholeBytesMax = limits.requestBodyBytes

/** A body whose long string is still arriving. */
export type LongJson = {
  /** The bytes before the content of the string. */
  before: Buffer
  /** Replaces the string in {@link bodyWithPlaceholder}. */
  placeholder: string
  /** Yields the string in pieces, one character per byte. Returns the bytes after it. */
  pieces(): AsyncGenerator<string, Buffer, undefined>
  /** Stops reading; call it when `pieces` is not used. */
  leave(): Promise<void>
}

export type LongStringOptions = {
  /** The JSON path of the string. */
  path: readonly string[]
  /** The limit that a refusal of a body that is too long reports. */
  bytesMax: number
}

/**
 * Reads a JSON body that may contain one long string. Returns a small body unchanged. Of a large body, only the bytes before and after the
 * string are kept in memory; the string is streamed in pieces.
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

/** The body with a placeholder instead of its long string. A later member with the same name would override it. */
export function bodyWithPlaceholder({ before, placeholder }: Pick<LongJson, 'before' | 'placeholder'>, behind: Buffer): Buffer {
  return Buffer.concat([before, Buffer.from(`${placeholder}"`), behind])
}

/** Yields the string that starts in `begun`, in pieces. Returns the bytes after it. */
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

/** Collects `begun` and the following chunks, up to the end or until the limit is exceeded. */
async function collect(chunks: AsyncIterator<Buffer>, begun: Buffer = Buffer.alloc(0)): Promise<{ bytes: Buffer; ended: boolean }> {
  const parts: Buffer[] = [Buffer.from(begun)]
  let length = begun.length
  while (length <= wholeBytesMax) {
    const next = await chunks.next()
    if (next.done) return { bytes: Buffer.concat(parts), ended: true }
    // A chunk is valid only until the next one is read.
    parts.push(Buffer.from(next.value))
    length += next.value.length
  }
  return { bytes: Buffer.concat(parts), ended: false }
}
