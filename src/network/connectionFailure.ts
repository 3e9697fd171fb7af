import { errors } from 'undici'
import { FetchFailure } from './fetchFailure.ts'

/** Translates an error before the response, from a socket or undici, into a failure with a message for logs. */
export function connectFailure(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const code = errorCode(error)
  if (code === 'ETIMEDOUT') return new FetchFailure('timeout', 'no connection in time', { cause: error })
  if (error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError) {
    return new FetchFailure('connect', 'answer is not HTTP', { cause: error })
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new FetchFailure('connect', 'answer headers are too large', { cause: error })
  if (code === 'UND_ERR_SOCKET' || code === 'EPIPE') {
    return new FetchFailure('connect', 'connection closed without an answer', { cause: error })
  }
  return new FetchFailure('connect', connectWords[code] ?? 'connection failed', { cause: error })
}

/** Translates an error of the TLS handshake into a failure with a message for logs. */
export function tlsFailure(error: Error): FetchFailure {
  return new FetchFailure('tls', tlsWords[errorCode(error)] ?? 'TLS handshake failed', { cause: error })
}

/** The code of a system, OpenSSL or undici error; empty without one. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? errorCode(error.errors[0]) : ''
}

const connectWords: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the address',
  ENETUNREACH: 'no route to the address',
  EADDRNOTAVAIL: 'no route to the address',
}

const tlsWords: Record<string, string> = {
  CERT_HAS_EXPIRED: 'TLS certificate expired',
  CERT_NOT_YET_VALID: 'TLS certificate not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS certificate has no trusted issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'TLS certificate has no trusted issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS certificate has no trusted issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS certificate has no trusted issuer',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS at this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS at this port',
  ECONNRESET: 'connection closed during the TLS handshake',
}
