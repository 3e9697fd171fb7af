import type { FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import type { Settings } from '../domain/context.ts'
import { type SpooledFile, spoolToDisk } from '../domain/spoolToDisk.ts'
import { base64BodyBytesMax, bodyBytes } from '../transport/bodyBytes.ts'
import { isJsonObject, waitForParseSlice } from '../transport/readJson.ts'
import { bodyWithPlaceholder, type LongJson, readLongJson } from '../transport/readLongJson.ts'
import { ProtocolFault, readMessages, requestFault } from './readMessages.ts'
import { batchRevision, revisionOf } from './revisions.ts'
import { uploadFile } from './tools/uploadFile.ts'

/** The message or batch of a request; `spooledText`: its base64, if that was spooled to disk. */
export type AgentBody = { messages: unknown; spooledText?: SpooledFile<Buffer> }

const base64Path = ['params', 'arguments', 'base64']
const bytesMax = limits.requestBodyBytes

/**
 * Reads an MCP body. Only an upload may be longer than other requests, and must name its tool in the headers or before its base64. The
 * base64 is spooled to disk, because the handler needs the whole message.
 * Throws {@link ProtocolFault}. Refusals: payload_too_large, invalid_request for an incomplete body.
 */
export async function readBody({ raw, headers }: FastifyRequest, settings: Pick<Settings, 'temporaryFolder'>): Promise<AgentBody> {
  const allowsBatch = revisionOf(headerOf(headers, 'mcp-protocol-version')) === batchRevision
  const body = await readLongJson(bodyBytes(raw, base64BodyBytesMax), { path: base64Path, bytesMax })
  if (Buffer.isBuffer(body)) {
    await waitForParseSlice(body)
    return { messages: readMessages(body, { allowsBatch }) }
  }
  try {
    if (!announcesUpload(headers) && !startsWithUpload(body)) throw new Refusal('payload_too_large', { maxBytes: bytesMax })
    const spooledText = await spoolToDisk(body.pieces(), settings)
    return { messages: await parseSpooled(body, spooledText), spooledText }
  } finally {
    await body.leave()
  }
}

/** Whether the headers of the newest revision name the upload tool. */
function announcesUpload(headers: FastifyRequest['headers']): boolean {
  return headerOf(headers, 'mcp-method') === 'tools/call' && headerOf(headers, 'mcp-name') === uploadFile.name
}

function headerOf(headers: FastifyRequest['headers'], name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Whether the part before the long string names the method and the upload tool. */
function startsWithUpload(body: LongJson): boolean {
  const begun = readMessages(bodyWithPlaceholder(body, Buffer.from('}'.repeat(base64Path.length))), { allowsBatch: false })
  if (!isJsonObject(begun) || !isJsonObject(begun['params'])) return false
  return begun['method'] === 'tools/call' && begun['params']['name'] === uploadFile.name
}

/** The message with a placeholder for its base64. Removes the spooled file when the message is not valid. */
async function parseSpooled(body: LongJson, { end, remove }: SpooledFile<Buffer>): Promise<unknown> {
  try {
    const message = readMessages(bodyWithPlaceholder(body, end), { allowsBatch: false })
    if (base64Of(message) === body.placeholder) return message
    throw new ProtocolFault(requestFault, 'The message may have base64 only once.')
  } catch (error) {
    await remove()
    throw error
  }
}

function base64Of(message: unknown): unknown {
  return base64Path.reduce<unknown>((within, name) => (isJsonObject(within) ? within[name] : undefined), message)
}
