import { limits } from '../../contract/limits.ts'
import { invalidRequest, Refusal } from '../../contract/refusals/refusals.ts'
import { FetchFailure } from '../../network/fetchFailure.ts'
import { guardedFetch } from '../../network/guardedFetch.ts'
import type { Context } from '../context.ts'
import { resolveForCaller } from '../resolveForCaller.ts'

/** For name resolution, connection, redirects and the whole content. */
const deadlineSeconds = 30

/**
 * Fetches the content at a user's link. Only the bytes of the response are trusted, not its headers. Rejects with a refusal, also while
 * the content is read. A reader that stops early closes the connection.
 * Refusals: invalid_request at `url`, file_fetch_failed, payload_too_large. Contract: docs/contract.md#files-by-link.
 */
export async function fetchFromUrl(context: Context, url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  try {
    const { body } = await guardedFetch({
      url,
      method: 'GET',
      headers: { accept: '*/*' },
      redirectsMax: limits.linkRedirectsMax,
      deadlineSeconds,
      bodyBytesMax: limits.fileBytes,
      answers: 'success',
      schemes: 'http_and_https',
      ports: 'web',
      allowedPrivate: context.settings.allowedPrivateAddresses,
      own: context.settings.ownAddresses,
      resolve: resolveForCaller(context),
      signal,
    })
    return translateReadErrors(body)
  } catch (error) {
    throw refusalOf(error)
  }
}

async function* translateReadErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body
  } catch (error) {
    throw refusalOf(error)
  }
}

type Cause = 'dns' | 'connect' | 'timeout' | 'status' | 'private_address' | 'redirect'

const messages: Record<Cause, string> = {
  dns: 'The host name of the link cannot be resolved.',
  connect: 'The host of the link did not send a complete response.',
  timeout: `The file at the link did not arrive within ${deadlineSeconds} seconds.`,
  status: 'The host of the link responded with an error.',
  private_address: 'The link points to an address that is not public.',
  redirect: 'The link redirects too often, or in a way that is not supported.',
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof FetchFailure)) return error
  switch (error.kind) {
    case 'bad_url':
      // The address itself is valid, but its port is not allowed.
      return error.problem === 'port' ? fetchFailed('private_address', error) : badUrl(error)
    case 'too_large':
      return new Refusal('payload_too_large', { maxBytes: limits.fileBytes }, { cause: error })
    case 'tls':
    case 'encoding':
    case 'truncated':
      return fetchFailed('connect', error)
    case 'aborted':
      return error.cause ?? error
    default:
      return fetchFailed(error.kind, error)
  }
}

function fetchFailed(cause: Cause, failure: FetchFailure): Refusal {
  const { status } = failure
  const retryable = cause === 'timeout' || (cause === 'status' && status !== null && status >= 500)
  const details = { cause, ...(status === null ? {} : { status }) }
  return new Refusal('file_fetch_failed', details, { message: messages[cause], retryable, cause: failure })
}

function badUrl({ problem }: FetchFailure): Refusal {
  const message = {
    syntax: 'Takes the address of a file.',
    scheme: 'Takes an address that begins with http:// or https://.',
    user_information: 'Takes an address without user information.',
    port: 'Takes an address with a usual port.',
  }[problem ?? 'syntax']
  return invalidRequest({ in: 'body', path: ['url'], code: 'bad_format', message })
}
