import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import { releaseBuffer } from './releaseBuffer.ts'

/** The longest JSON that can hold the largest file: in base64, some of whose characters many writers of JSON escape. */
export const base64BodyBytesMax = 40 * 1024 * 1024

/** Refuses a body that announces to be longer than it may be, before a byte of it is read. Refusals: payload_too_large. */
export function requireAnnouncedSize({ headers }: FastifyRequest, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
}

/**
 * The body as it arrives; each chunk lasts until the next is asked for. A reader that stops early leaves the connection open, so that
 * it still gets its answer.
 * Refusals: payload_too_large, invalid_request for one that breaks off.
 */
export async function* bodyBytes(raw: IncomingMessage, bytesMax: number): AsyncGenerator<Buffer, void, undefined> {
  let receivedBytes = 0
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      receivedBytes += chunk.length
      if (receivedBytes > bytesMax) throw tooLarge()
      yield chunk
      // What did not come from a socket belongs to whoever made it.
      if (raw instanceof IncomingMessage) releaseBuffer(chunk)
    }
  } catch (error) {
    // Nobody hears this any more: it must only not look like a fault of ours.
    throw raw.errored === null ? error : invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body broke off.' })
  }
}

function tooLarge(): Refusal {
  return new Refusal('payload_too_large', { maxBytes: limits.fileBytes })
}
