import type { Readable } from 'node:stream'
import { Client, errors } from 'undici'
import type { CheckedUrl } from './checkUrl.ts'
import { connectFailure } from './connectionFailure.ts'
import { type ConnectionPool, closeConnection, type PooledConnection } from './connectionPool.ts'
import type { Deadline } from './deadline.ts'
import { pinnedConnection } from './pinnedConnection.ts'

/** undici takes no larger headers, so what came in beyond them and the announced body cannot belong to the answer. */
export const headerBytesMax = 16_384

/** One request and the beginning of its answer. `source` is the raw body; header names are in lower case. */
export type Exchange = {
  status: number
  headers: Record<string, string>
  source: Readable
  connection: {
    /** Bytes of HTTP that came in for this answer so far, headers included. */
    bytesRead(): number
    /** True when the other side cut the connection off instead of ending it. */
    wasReset(): boolean
  }
  /** Lets go of the connection, whatever state it is in. */
  close(): void
  /** The same after a whole answer: the connection may serve another request. */
  end(): void
}

type Request = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: Uint8Array | undefined }
type ExchangeOptions = { deadline: Deadline; trustedCertificates?: string | undefined; connections?: ConnectionPool | undefined }

/**
 * Sends one request and resolves once the headers of the answer are there. Redirects are answers like any other. No proxy.
 * Over a connection of its own, or over one of `connections` that was kept; when that turns out to be closed without a byte of an
 * answer, once more over one of its own. Throws FetchFailure; the connection is then gone.
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
    // The deadline is the only limit in time.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return { origin: target.url.origin, trust: trustedCertificates ?? '', connection, client }
}

async function send(
  line: PooledConnection,
  { target, request, means }: { target: CheckedUrl; request: Request; means: ExchangeOptions },
): Promise<Exchange> {
  const { connection, client } = line
  const { deadline, connections } = means
  const bytesBefore = connection.bytesRead()
  try {
    // Waited for from outside: undici hears no signal before it has a connection, and a handshake may hang for ever.
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
      close: () => closeConnection(line),
      end: () => (connections ? connections.keep(line) : closeConnection(line)),
    }
  } catch (error) {
    closeConnection(line)
    // Ours, not the other side's fault: a header that cannot be sent.
    if (error instanceof errors.InvalidArgumentError) throw error
    throw connectFailure(error)
  }
}

/** Headers as one text each. */
export function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
