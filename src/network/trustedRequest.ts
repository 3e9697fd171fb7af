import type { Readable } from 'node:stream'
import { Client, errors } from 'undici'
import { headerBytesMax, joined } from './exchange.ts'

export type TrustedRequest = {
  url: URL
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  /** In memory, or a stream that is read once. */
  body?: string | Uint8Array | Readable
  /** Aborts the request and the reading of the response. */
  signal: AbortSignal
}

/** `body` must be read or destroyed. Header names are in lower case, repeated headers are joined with a comma. */
export type TrustedAnswer = { status: number; headers: Record<string, string>; body: Readable }

/** There was no connection, so the other side has certainly not received the request. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super(`not sent: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'NotSent'
  }
}

/**
 * Sends a request once to an address that the operator configured; it may be private. Does not follow redirects and uses no proxy. Each
 * request has a new connection: the peer may close a reused one while a request is sent, and then it is unknown whether the request was
 * received. Throws {@link NotSent} when it certainly was not received, and any other error when it may have been.
 */
export async function trustedRequest({ url, method, headers = {}, body, signal }: TrustedRequest): Promise<TrustedAnswer> {
  let isConnected = false
  const client = new Client(url.origin, {
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    // The signal is the only time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  client.once('connect', () => {
    isConnected = true
  })
  const end = () => void client.destroy().catch(() => undefined)
  // undici ignores the signal while it connects.
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
      // After a complete response, undici closes the connection.
      if (!answer.body.readableEnded) end()
    })
    // Without a reader, a failure stays in the stream and must not crash the process.
    answer.body.on('error', () => {})
    return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body }
  } catch (error) {
    signal.removeEventListener('abort', end)
    end()
    // Our own error: a header that cannot be sent.
    if (error instanceof errors.InvalidArgumentError) throw error
    throw isConnected ? error : new NotSent(error)
  }
}
