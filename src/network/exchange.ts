import type { Readable } from 'node:stream'
import { Client, errors } from 'undici'
import type { CheckedUrl } from './checkUrl.ts'
import { connectFailure } from './connectionFailure.ts'
import { type ConnectionPool, closeConnection, type PooledConnection } from './connectionPool.ts'
import type { Deadline } from './deadline.ts'
import { pinnedConnection } from './pinnedConnection.ts'

/** undici accepts no larger headers. So further bytes, beyond the announced body, do not belong to the response. */
export const headerBytesMax = 16_384

/** A request and the start of its response. `source` is the raw body; header names are in lower case. */
export type Exchange = {
  status: number
  headers: Record<string, string>
  source: Readable
  connection: {
    /** Bytes of HTTP received for this response so far, including headers. */
    bytesRead(): number
    /** True when the peer reset the connection instead of closing it. */
    wasReset(): boolean
  }
  /** Closes the connection in any state. */
  close(): void
  /** Call it after a complete response: the connection may be reused. */
  end(): void
}

type Request = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: Uint8Array | undefined }
type ExchangeOptions = { deadline: Deadline; trustedCertificates?: string | undefined; connections?: ConnectionPool | undefined }

/**
 * Sends one request and resolves with the headers of the response. Does not follow redirects and uses no proxy. Uses a new connection, or
 * one of `connections`. If a reused connection was closed without a byte of a response, sends once more over a new one. Throws
 * FetchFailure; the connection is then closed.
 */
export async function openExchange(target: CheckedUrl, request: Request, means: ExchangeOptions): Promise<Exchange> {
  const { deadline, connections, trustedCertificates = '' } = means
  const kept = connections?.take(target, trustedCertificates)
  if (kept === undefined) return send(openConnection(target, means), { target, request, means })
  deadline.stage = 'answering'
  const bytesBefore = kept.connection.bytesRead()
  try {
    return await send(kept, { target, request, means })
  } catch (error) {
    const isStale =
      !deadline.signal.aborted && kept.connection.bytesRead() === bytesBefore && !(error instanceof errors.InvalidArgumentError)
    if (!isStale) throw error
    return send(openConnection(target, means), { target, request, means })
  }
}

function openConnection(target: CheckedUrl, { deadline, trustedCertificates }: ExchangeOptions): PooledConnection {
  const connection = pinnedConnection(target, deadline, trustedCertificates)
  const client = new Client(target.url.origin, {
    connect: connection.connect,
    allowH2: false,
    useMilo: false,
    maxHeaderSize: headerBytesMax,
    // The deadline is the only time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return { origin: target.url.origin, trust: trustedCertificates ?? '', connection, client }
}

async function send(
  pooled: PooledConnection,
  { target, request, means }: { target: CheckedUrl; request: Request; means: ExchangeOptions },
): Promise<Exchange> {
  const { connection, client } = pooled
  const { deadline, connections } = means
  const bytesBefore = connection.bytesRead()
  try {
    // undici ignores the signal before it has a connection, and a TLS handshake may hang. So the deadline is enforced here.
    const answer = await deadline.wait(
      client.request({
        method: request.method,
        path: target.url.pathname + target.url.search,
        headers: { 'user-agent': 'Atelier', ...lowerCase(request.headers), 'accept-encoding': 'identity' },
        body: request.body ?? null,
        reset: connections === undefined,
      }),
    )
    deadline.stage = 'reading'
    return {
      status: answer.statusCode,
      headers: joined(answer.headers),
      source: answer.body,
      connection: { bytesRead: () => connection.bytesRead() - bytesBefore, wasReset: () => connection.wasReset() },
      close: () => closeConnection(pooled),
      end: () => (connections ? connections.keep(pooled) : closeConnection(pooled)),
    }
  } catch (error) {
    closeConnection(pooled)
    // Our own error: a header that cannot be sent.
    if (error instanceof errors.InvalidArgumentError) throw error
    throw connectFailure(error)
  }
}

/** Joins repeated headers with a comma. */
export function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
