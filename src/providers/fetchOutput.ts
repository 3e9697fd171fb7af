import { PassThrough, pipeline } from 'node:stream'
import type { Failure } from '../contract/failures.ts'
import type { Cidr } from '../network/addresses.ts'
import { FetchFailure } from '../network/fetchFailure.ts'
import { guardedFetch } from '../network/guardedFetch.ts'
import type { OwnAddresses } from '../network/ownAddresses.ts'
import { type Collected, UnfitOutput } from './provider.ts'

/** What an answer of a vendor may lead us to. Contract: section 10. */
export type OutputRules = {
  allowedPrivate: readonly Cidr[]
  own: OwnAddresses
}

export type OutputPlace = {
  url: string
  /** The address of the vendor itself, which the operator has named: its host and port may be anywhere. */
  vendorUrl: string
  /** Sent to the vendor's own host and port alone: a key, above all. */
  headers?: Record<string, string>
  /** What the vendor says that it is. */
  mimeType?: string | undefined
  signal: AbortSignal
}

const redirectsMax = 5
const secondsMax = 300
export const outputBytesMax = 150 * 1024 * 1024

/**
 * Opens an output at the address that a vendor gave, which is believed no more than a caller's. Gone, hostile and oversized ones are
 * failures; one that could not be fetched for now is thrown, and asked again by the runner.
 */
export async function fetchOutput(rules: OutputRules, { url, vendorUrl, headers = {}, mimeType, signal }: OutputPlace): Promise<Collected> {
  const vendorOrigin = new URL(vendorUrl).origin
  try {
    const answer = await guardedFetch({
      ...rules,
      url,
      method: 'GET',
      headers: { accept: '*/*', ...(URL.parse(url)?.origin === vendorOrigin ? headers : {}) },
      redirectsMax,
      deadlineSeconds: secondsMax,
      bodyBytesMax: outputBytesMax,
      answers: 'success',
      schemes: 'http_and_https',
      ports: 'any',
      trustedOrigins: [vendorOrigin],
      signal,
    })
    const stream = new PassThrough()
    // What fails meanwhile stays in the stream until somebody reads it.
    stream.on('error', () => {})
    // Before the pipeline hears of it, which would hand the error on as it is.
    answer.body.once('error', (error) => stream.destroy(unfit(error)))
    pipeline(answer.body, stream, () => {})
    return { state: 'bytes', stream, mimeType: mimeType ?? answer.headers['content-type'] ?? 'application/octet-stream' }
  } catch (error) {
    const failure = failureOf(error)
    if (failure) return { state: 'failed', failure }
    throw error
  }
}

function unfit(error: Error): Error {
  const failure = failureOf(error)
  return failure ? new UnfitOutput(failure, error) : error
}

/** What no repeat can mend. */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof FetchFailure)) return undefined
  if (error.kind === 'status' && [403, 404, 410].includes(error.status ?? 0)) return { code: 'provider_error', reason: 'result_expired' }
  return ['bad_url', 'private_address', 'too_large', 'redirect', 'encoding'].includes(error.kind)
    ? { code: 'provider_error', reason: 'provider_failed' }
    : undefined
}
