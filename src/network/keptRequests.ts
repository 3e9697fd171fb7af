import { errors, Pool } from 'undici'
import { errorCode } from './connectionFailure.ts'
import { untilAborted } from './deadline.ts'
import { headerBytesMax, joined } from './exchange.ts'
import { NotSent, type TrustedAnswer, type TrustedRequest, trustedRequest } from './trustedRequest.ts'

/** A request that may be sent twice. */
export type RepeatableRequest = Pick<TrustedRequest, 'url' | 'headers' | 'signal'>

/**
 * A connection without a request is closed after this time, also when the vendor would keep it longer: a router may drop it without a
 * notice.
 */
const idleMsMax = 4_000
/** An open connection is replaced after this time, so that a vendor whose address changes is found at its new one. */
const connectionMsMax = 60_000

/**
 * Makes the sender of GET requests to the `origin` of an operator's URL. Unlike {@link trustedRequest}, it reuses connections: polls are
 * frequent, and each new connection takes a TLS handshake. Connections close after `idleMs` without a request. When an open connection fails
 * before the response, perhaps because the peer has closed it, the request is sent once more over a new one. Throws like
 * {@link trustedRequest}, and the reason of `signal` after an abort.
 */
export function makeKeptRequests(origin: string, { idleMs = idleMsMax } = {}): (request: RepeatableRequest) => Promise<TrustedAnswer> {
  const pool = new Pool(origin, {
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    clientTtl: connectionMsMax,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The signal is the only time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const connectErrors = new WeakSet<Error>()
  pool.on('connectionError', (_origin, _targets, error) => connectErrors.add(error))
  return async ({ url, headers = {}, signal }) => {
    // undici would send it nevertheless.
    signal.throwIfAborted()
    try {
      // undici ignores the signal while it connects.
      const answer = await untilAborted(
        pool.request({
          method: 'GET',
          path: url.pathname + url.search,
          headers: { 'user-agent': 'Atelier', ...headers, 'accept-encoding': 'identity' },
          signal,
        }),
        signal,
      )
      // Without a reader, a failure stays in the stream and must not crash the process.
      answer.body.on('error', () => {})
      return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body }
    } catch (error) {
      if (error instanceof Error && connectErrors.has(error)) throw new NotSent(error)
      if (signal.aborted || !isClosed(error)) throw error
      return await trustedRequest({ url, method: 'GET', headers, signal })
    }
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof errors.SocketError || ['ECONNRESET', 'EPIPE'].includes(errorCode(error))
}
