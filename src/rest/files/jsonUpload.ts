import { randomUUID } from 'node:crypto'
import { type FileRequestBody, fileRequest } from '../../contract/file.ts'
import { parseOrRefuse } from '../../contract/issues.ts'
import { limits } from '../../contract/limits.ts'
import { invalidRequest, Refusal } from '../../contract/refusals.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { parseJsonBody } from '../../transport/readJson.ts'
import { base64Start, cutString } from './longString.ts'

/** So much of a body, its base64 apart, is looked at as a whole. */
const wholeBytesMax = limits.requestBodyBytes

/**
 * Reads the JSON body of an upload. A small one is simply parsed. Of a large one only what stands before and behind its base64 is kept;
 * the base64 goes by in pieces, and the rest is judged, as strictly as any body, once it has come.
 * Refusals, also while the content is read: invalid_request, payload_too_large.
 */
export async function jsonUpload(
  source: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<FileRequestBody | { content: IncomingContent }> {
  const chunks = source[Symbol.asyncIterator]()
  const { bytes, ended } = await collect(chunks)
  if (ended) return parseOrRefuse(fileRequest, parseJsonBody(bytes), 'body')
  const start = base64Start(bytes)
  if (start === undefined) {
    await chunks.return?.()
    throw new Refusal('payload_too_large', { maxBytes: limits.fileBytes })
  }
  return { content: longUpload(chunks, { before: bytes.subarray(0, start), begun: bytes.subarray(start), signal }) }
}

type Begun = { before: Buffer; begun: Buffer; signal: AbortSignal }

function longUpload(chunks: AsyncIterator<Buffer>, { before, begun, signal }: Begun): IncomingContent {
  let declared: string | undefined

  async function* texts(): AsyncGenerator<string, void, undefined> {
    try {
      const behind = yield* piecesOf(chunks, begun)
      declared = judge(before, behind).mimeType
    } finally {
      await chunks.return?.()
    }
  }

  return { source: { encoding: 'base64', texts: texts() }, mimeType: () => declared, signal }
}

/** The string that `begun` begins in, piece by piece; gives what stands behind it. */
async function* piecesOf(chunks: AsyncIterator<Buffer>, begun: Buffer): AsyncGenerator<string, Buffer, undefined> {
  let piece = cutString(begun)
  while (!piece.isClosed) {
    yield piece.text
    const kept = Buffer.from(piece.rest)
    const next = await chunks.next()
    if (next.done) throw invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body is not valid JSON.' })
    piece = cutString(kept.length === 0 ? next.value : Buffer.concat([kept, next.value]))
  }
  yield piece.text
  const { bytes, ended } = await collect(chunks, piece.rest)
  if (ended) return bytes
  throw new Refusal('payload_too_large', { maxBytes: limits.fileBytes })
}

/** Judges the body with a stand-in for its base64; another member of that name would take its place. */
function judge(before: Buffer, behind: Buffer): FileRequestBody {
  const standIn = randomUUID()
  const body = parseOrRefuse(fileRequest, parseJsonBody(Buffer.concat([before, Buffer.from(`${standIn}"`), behind])), 'body')
  if (body.base64 === standIn) return body
  throw invalidRequest({ in: 'body', path: ['base64'], code: 'conflict', message: 'This field may stand once.' })
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
