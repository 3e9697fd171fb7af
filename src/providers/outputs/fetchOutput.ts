import { PassThrough, pipeline } from 'node:stream'
import type { Failure } from '../../contract/failures/failures.ts'
import type { Cidr } from '../../network/addresses.ts'
import type { ConnectionPool } from '../../network/connectionPool.ts'
import { FetchFailure } from '../../network/fetchFailure.ts'
import { guardedFetch } from '../../network/guardedFetch.ts'
import type { OwnAddresses } from '../../network/ownAddresses.ts'
import { BrokenOutput, type Collected, UnfitOutput } from '../provider.ts'

/** The addresses from which outputs may be fetched. Contract: docs/contract.md#outputs-of-a-vendor. */
export type OutputRules = {
  allowedPrivate: readonly Cidr[]
  own: OwnAddresses
  /** Connections that stay open between downloads. */
  connections?: ConnectionPool
  /** The longest pause in a download. Default 10. */
  idleSeconds?: number
  /** Lower in tests. */
  bytesMax?: number
}

export type OutputRequest = {
  url: string
  /** The vendor's URL as configured by the operator. Its host may be a private address. */
  vendorUrl: string
  /** Sent only to the vendor's own host and port, such as the key. */
  headers?: Record<string, string>
  /** The type that the vendor declares. */
  mimeType?: string | undefined
  signal: AbortSignal
}

const redirectsMax = 5
const secondsMax = 300
/** For the first byte of an answer, and for each next chunk. */
const defaultIdleSeconds = 10
export const outputBytesMax = 150 * 1024 * 1024

/**
 * Opens an output at an untrusted URL from a vendor. Expired, forbidden and oversized outputs are failures. Throws for an output that
 * cannot be fetched now; the runner retries it. Throws {@link BrokenOutput}, at the opening or from the stream, when the vendor stalls or
 * breaks off.
 */
export async function fetchOutput(
  rules: OutputRules,
  { url, vendorUrl, headers = {}, mimeType, signal }: OutputRequest,
): Promise<Collected> {
  const vendorOrigin = new URL(vendorUrl).origin
  const { idleSeconds = defaultIdleSeconds, bytesMax = outputBytesMax, ...addressRules } = rules
  const opening = new AbortController()
  const stalled = setTimeout(() => opening.abort(), idleSeconds * 1000)
  try {
    const answer = await guardedFetch({
      ...addressRules,
      url,
      method: 'GET',
      headers: { accept: '*/*', ...(URL.parse(url)?.origin === vendorOrigin ? headers : {}) },
      redirectsMax,
      deadlineSeconds: secondsMax,
      bodyBytesMax: bytesMax,
      idleSeconds,
      answers: 'success',
      schemes: 'http_and_https',
      ports: 'any',
      trustedOrigins: [vendorOrigin],
      signal: AbortSignal.any([signal, opening.signal]),
    })
    const stream = new PassThrough()
    // An error before the first read stays in the stream.
    stream.on('error', () => {})
    // Registered before the pipeline, which would pass on the original error.
    answer.body.once('error', (error) => stream.destroy(unfit(error)))
    pipeline(answer.body, stream, () => {})
    return { state: 'bytes', stream, mimeType: mimeType ?? answer.headers['content-type'] ?? 'application/octet-stream' }
  } catch (error) {
    const failure = failureOf(error)
    if (failure) return { state: 'failed', failure }
    throw opening.signal.aborted && !signal.aborted ? new BrokenOutput(new Error(`no answer within ${idleSeconds} s`)) : error
  } finally {
    clearTimeout(stalled)
  }
}

function unfit(error: Error): Error {
  const failure = failureOf(error)
  if (failure) return new UnfitOutput(failure, error)
  return error instanceof FetchFailure && (error.kind === 'truncated' || error.kind === 'timeout') ? new BrokenOutput(error) : error
}

/** Failures that a retry cannot solve. */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof FetchFailure)) return undefined
  if (error.kind === 'status' && [403, 404, 410].includes(error.status ?? 0)) return { code: 'provider_error', reason: 'result_expired' }
  return ['bad_url', 'private_address', 'too_large', 'redirect', 'encoding'].includes(error.kind)
    ? { code: 'provider_error', reason: 'provider_failed' }
    : undefined
}
