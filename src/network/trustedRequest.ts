import type { Readable } from 'node:stream'
import { Client, errors } from 'undici'
import { headerBytesMax, joined } from './exchange.ts'

export type TrustedRequest = {
  url: URL
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  /** In memory, or streamed once as it is read. */
  body?: string | Uint8Array | Readable
  /** Ends the request, and the reading of its answer. */
  signal: AbortSignal
}

/** `body` must be read or destroyed; it fails with what cut it off. Header names are in lower case, repeated ones joined with a comma. */
export type TrustedAnswer = { status: number; headers: Record<string, string>; body: Readable }

/** No connection came about: the other side has certainly heard nothing of the request. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super(`not sent: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'NotSent'
  }
}

/**
 * Sends one request, once, to an address that the operator has configured, which therefore may be private. Redirects are answers like any
 * other, and no proxy stands between. Each request has a connection of its own: one that was kept may be closed on the other side just as
 * a request goes out, and then nobody knows whether it was heard. Throws {@link NotSent} when it certainly was not, and anything else when
 * it may have been.
 */
export async function trustedRequest({ url, method, headers = {}, body, signal }: TrustedRequest): Promise<TrustedAnswer> {
  let isConnected = false
  const client = new Client(url.origin, {
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    // The signal is the only limit in time.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  client.once('connect', () => {
    isConnected = true
  })
  const end = () => void client.destroy().catch(() => undefined)
  // Heard here: the client itself hears no signal while it connects.
  signal.addEventListener('abort', end, { once: true })
  try {
    signal.throwIfAborted()
    const answer = await client.request({
      method,
      path: url.pathname + url.search,
      headers: { 'user-agent': 'Atelier', ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      reset: true,
      signal,
    })
    answer.body.once('close', () => {
      signal.removeEventListener('abort', end)
      end()
    })
    // A reader may come late or never; a failure meanwhile stays in the stream and must not end the process.
    answer.body.on('error', () => {})
    return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body }
  } catch (error) {
    signal.removeEventListener('abort', end)
    end()
    // Ours, not the other side's fault: a header that cannot be sent.
    if (error instanceof errors.InvalidArgumentError) throw error
    throw isConnected ? error : new NotSent(error)
  }
}
