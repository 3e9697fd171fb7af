import { PassThrough, pipeline } from 'node:stream'
import type { Failure } from '../../contract/failures/failures.ts'
import type { Cidr } from '../../network/addresses.ts'
import { FetchFailure } from '../../network/fetchFailure.ts'
import { guardedFetch } from '../../network/guardedFetch.ts'
import type { OwnAddresses } from '../../network/ownAddresses.ts'
import { BrokenOutput, type Collected, UnfitOutput } from '../provider.ts'

/** What an answer of a vendor may lead us to. Contract: docs/contract.md#outputs-of-a-vendor. */
export type OutputRules = {
  allowedPrivate: readonly Cidr[]
  own: OwnAddresses
  /** How long a vendor may send nothing of an output. Default 10. */
  idleSeconds?: number
}

export type OutputRequest = {
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
/** For the beginning of an answer, and for each next piece of it. */
const defaultIdleSeconds = 10
export const outputBytesMax = 150 * 1024 * 1024

/**
 * Opens an output at the address that a vendor gave, which is believed no more than a caller's. Gone, hostile and oversized ones are
 * failures; one that could not be fetched for now is thrown, and asked again by the runner. Throws {@link BrokenOutput}, at the opening or
 * from the stream, where the vendor stalls or breaks off.
 */
export async function fetchOutput(
  rules: OutputRules,
  { url, vendorUrl, headers = {}, mimeType, signal }: OutputRequest,
): Promise<Collected> {
  const vendorOrigin = new URL(vendorUrl).origin
  const { idleSeconds = defaultIdleSeconds, ...addressRules } = rules
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
      bodyBytesMax: outputBytesMax,
      idleSeconds,
      answers: 'success',
      schemes: 'http_and_https',
      ports: 'any',
      trustedOrigins: [vendorOrigin],
      signal: AbortSignal.any([signal, opening.signal]),
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

/** What no repeat can mend. */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof FetchFailure)) return undefined
  if (error.kind === 'status' && [403, 404, 410].includes(error.status ?? 0)) return { code: 'provider_error', reason: 'result_expired' }
  return ['bad_url', 'private_address', 'too_large', 'redirect', 'encoding'].includes(error.kind)
    ? { code: 'provider_error', reason: 'provider_failed' }
    : undefined
}
