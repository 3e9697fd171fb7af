import { limits } from '../../contract/limits.ts'
import { parseOrRefuse } from '../../contract/refusals/issues.ts'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { type FileRequestBody, fileRequest } from '../../contract/shapes/file.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { parseJsonBody, waitForParseSlice } from '../../transport/readJson.ts'
import { bodyWithPlaceholder, type LongJson, readLongJson } from '../../transport/readLongJson.ts'

/**
 * Reads the JSON body of an upload. A small body is parsed at once. Of a large body, the base64 is streamed, and the other members are
 * validated at the end.
 * Refusals, also while the content is read: invalid_request, payload_too_large.
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
  let declared: string | undefined

  async function* texts(): AsyncGenerator<string, void, undefined> {
    const behind = yield* body.pieces()
    declared = validateBody(body, behind).mimeType
  }

  return { source: { encoding: 'base64', texts: texts() }, mimeType: () => declared, signal }
}

/** Validates the body with a placeholder for its base64. A second member `base64` would replace the placeholder, and is refused. */
function validateBody(body: LongJson, behind: Buffer): FileRequestBody {
  const read = parseOrRefuse(fileRequest, parseJsonBody(bodyWithPlaceholder(body, behind)), 'body')
  if (read.base64 === body.placeholder) return read
  throw invalidRequest({ in: 'body', path: ['base64'], code: 'conflict', message: 'The body may have this field only once.' })
}
