import { limits } from '../../contract/limits.ts'
import { parseOrRefuse } from '../../contract/refusals/issues.ts'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { type FileRequestBody, fileRequest } from '../../contract/shapes/file.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { parseJsonBody, waitForParseSlice } from '../../transport/readJson.ts'
import { bodyWithPlaceholder, type LongJson, readLongJson } from '../../transport/readLongJson.ts'

/**
 * Reads the JSON body of an upload. Parses a small body at once. Streams the base64 of a large body, and validates its other fields when
 * the stream ends.
 * Refusals, which may also come from the stream: invalid_request, payload_too_large.
 */
export async function readJsonUpload(
  source: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<FileRequestBody | { content: IncomingContent }> {
  const body = await readLongJson(source, { path: ['base64'], bytesMax: limits.fileBytes })
  if (!Buffer.isBuffer(body)) return { content: streamedUpload(body, signal) }
  await waitForParseSlice(body)
  return parseOrRefuse(fileRequest, parseJsonBody(body), 'body')
}

function streamedUpload(body: LongJson, signal: AbortSignal): IncomingContent {
  let mimeType: string | undefined

  async function* base64Pieces(): AsyncGenerator<string, void, undefined> {
    const bytesAfter = yield* body.pieces()
    mimeType = validateBody(body, bytesAfter).mimeType
  }

  return { source: { encoding: 'base64', texts: base64Pieces() }, mimeType: () => mimeType, signal }
}

/** Validates the body with a placeholder instead of its base64. Refuses a second field `base64`: it would override the placeholder. */
function validateBody(body: LongJson, bytesAfter: Buffer): FileRequestBody {
  const parsed = parseOrRefuse(fileRequest, parseJsonBody(bodyWithPlaceholder(body, bytesAfter)), 'body')
  if (parsed.base64 === body.placeholder) return parsed
  throw invalidRequest({ in: 'body', path: ['base64'], code: 'conflict', message: 'The body may have this field only once.' })
}
