import type { Readable } from 'node:stream'
import { Client, errors } from 'undici'
import { connectFailure } from './connectionFailure.ts'
import type { Deadline } from './deadline.ts'
import type { JudgedUrl } from './judgeUrl.ts'
import { type PinnedConnection, pinnedConnection } from './pinnedConnection.ts'

/** undici takes no larger headers, so what came in beyond them and the announced body cannot belong to the answer. */
export const headerBytesMax = 16_384

/** One request and the beginning of its answer. `source` is the raw body; header names are in lower case. */
export type Exchange = {
  status: number
  headers: Record<string, string>
  source: Readable
  connection: PinnedConnection
  /** Lets go of the connection, whatever state it is in. */
  close(): void
}

/**
 * Sends one request over a connection of its own and resolves once the headers of the answer are there.
 * Redirects are answers like any other. No proxy, no reuse, no second attempt. Throws FetchFailure; the connection is then gone.
 */
export async function openExchange(
  target: JudgedUrl,
  { method, headers, body }: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: Uint8Array | undefined },
  { deadline, trustedCertificates }: { deadline: Deadline; trustedCertificates?: string | undefined },
): Promise<Exchange> {
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
  const close = () => {
    connection.close()
    client.destroy().catch(() => {})
  }
  try {
    // Waited for from outside: undici hears no signal before it has a connection, and a handshake may hang for ever.
    const answer = await deadline.wait(
      client.request({
        method,
        path: target.url.pathname + target.url.search,
        headers: { 'user-agent': 'Atelier', ...lowerCase(headers), 'accept-encoding': 'identity' },
        body: body ?? null,
        reset: true,
      }),
    )
    deadline.stage = 'reading'
    return { status: answer.statusCode, headers: joined(answer.headers), source: answer.body, connection, close }
  } catch (error) {
    close()
    // Ours, not the other side's fault: a header that cannot be sent.
    if (error instanceof errors.InvalidArgumentError) throw error
    throw connectFailure(error)
  }
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
