import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import { releaseBuffer } from './releaseBuffer.ts'

/** The longest JSON with the largest file as base64, including the escapes that many JSON libraries write. */
export const base64BodyBytesMax = 40 * 1024 * 1024

/** Refuses a body by its Content-Length before a byte of it is read. Refusals: payload_too_large. */
export function requireAnnouncedSize({ headers }: FastifyRequest, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
}

/**
 * Yields the body as it arrives. Each chunk is valid until the next one is read. A reader that stops early leaves the connection open for
 * the response. Refusals: payload_too_large; invalid_request when the client disconnects.
 */
export async function* bodyBytes(raw: IncomingMessage, bytesMax: number): AsyncGenerator<Buffer, void, undefined> {
  let receivedBytes = 0
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      receivedBytes += chunk.length
      if (receivedBytes > bytesMax) throw tooLarge()
      yield chunk
      // A chunk that did not come from a socket belongs to its producer.
      if (raw instanceof IncomingMessage) releaseBuffer(chunk)
    }
  } catch (error) {
    // The client no longer receives this refusal. It only prevents an internal_error in the log.
    throw raw.errored === null ? error : invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body ended early.' })
  }
}

function tooLarge(): Refusal {
  return new Refusal('payload_too_large', { maxBytes: limits.fileBytes })
}
