import type { Readable } from 'node:stream'
import { type AddressRules, addressLiteral, type CheckedUrl, checkParsedUrl, ownAddressMessage, parseAddress } from './checkUrl.ts'
import type { ConnectionPool } from './connectionPool.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { type Exchange, openExchange } from './exchange.ts'
import { FetchFailure } from './fetchFailure.ts'
import { guardedBody } from './guardedBody.ts'

export type GuardedRequest = AddressRules & {
  url: string
  method: 'GET' | 'POST'
  /** Sent to the first origin only. {@link ourHeaders} must not be set. */
  headers?: Record<string, string>
  /** The body of a POST; a GET has none. */
  body?: Uint8Array
  /** How many redirects a GET follows. A POST follows none. */
  redirectsMax: number
  /** One limit for everything: look-up, connection, TLS, redirects, headers and the whole body. */
  deadlineSeconds: number
  bodyBytesMax: number
  /** Longest pause of the body while its reader waits. Default: until the deadline. */
  idleSeconds?: number
  /** `success`: throws a failure for a status outside 2xx. `any`: returns the response together with its `failure`. */
  answers: 'success' | 'any'
  signal?: AbortSignal
  /** PEM certificates to trust instead of the system's. */
  trustedCertificates?: string
  /** Pool of reusable connections. Default: one connection per request. */
  connections?: ConnectionPool
}

export type GuardedAnswer = {
  status: number
  /** Names in lower case, repeated headers joined with a comma. */
  headers: Record<string, string>
  /** The URL of the response, after redirects. */
  url: URL
  /** Must be read or destroyed. Fails only with {@link FetchFailure}, at the latest at the deadline. */
  body: Readable
  /** The failure for a status outside 2xx (kind `status`, or `redirect` for one that was not followed); null for 2xx. */
  failure: FetchFailure | null
}

/**
 * Sends a request to an untrusted address. For each hop it parses the URL, resolves the host once, checks all addresses, and connects only
 * to checked addresses, so that it never connects to a refused one.
 * Throws {@link FetchFailure}. After a failure or the end of the body, all resources are released.
 * Contract: docs/contract.md#files-by-link, docs/contract.md#webhook-addresses.
 */
export async function guardedFetch(request: GuardedRequest): Promise<GuardedAnswer> {
  const own = Object.keys(request.headers ?? {}).find((name) => ourHeaders.includes(name.toLowerCase()))
  if (own !== undefined) throw new TypeError(`the header ${own} cannot be set`)
  const first = parseAddress(request.url)
  const deadline = startDeadline(request)
  try {
    const { url, exchange } = await followRedirects(first, request, deadline)
    const failure = statusFailure(exchange, url)
    if (failure !== null && request.answers === 'success') {
      exchange.close()
      throw failure
    }
    const body = guardedBody(exchange, { bytesMax: request.bodyBytesMax, idleSeconds: request.idleSeconds, deadline })
    return { status: exchange.status, headers: exchange.headers, url, body, failure }
  } catch (error) {
    deadline.end()
    throw error
  }
}

const ourHeaders = ['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'te', 'transfer-encoding', 'upgrade']

async function followRedirects(first: URL, request: GuardedRequest, deadline: Deadline): Promise<{ url: URL; exchange: Exchange }> {
  const redirectsMax = request.method === 'GET' ? request.redirectsMax : 0
  let target = await checkFirstHop(first, request, deadline)
  for (let redirects = 0; ; redirects += 1) {
    const headers = target.url.origin === first.origin ? (request.headers ?? {}) : {}
    const body = request.method === 'POST' ? (request.body ?? new Uint8Array()) : undefined
    const exchange = await openExchange(target, { method: request.method, headers, body }, { ...request, deadline })
    const location = redirectLocation(exchange)
    if (location === undefined || redirectsMax === 0) return { url: target.url, exchange }
    exchange.close()
    if (redirects === redirectsMax) throw new FetchFailure('redirect', `more than ${redirectsMax} redirects`, { status: exchange.status })
    target = await checkRedirect({ location, from: target.url, status: exchange.status }, request, deadline)
  }
}

async function checkFirstHop(url: URL, rules: AddressRules, deadline: Deadline): Promise<CheckedUrl> {
  try {
    return await checkParsedUrl(url, rules, deadline)
  } catch (error) {
    // The host was public when the URL was saved. The log should say that this has changed.
    const changed =
      error instanceof FetchFailure &&
      error.kind === 'private_address' &&
      error.message !== ownAddressMessage &&
      addressLiteral(url) === undefined
    throw changed ? new FetchFailure('private_address', 'address is private now', { cause: error }) : error
  }
}

/** Checks the target of a redirect. An invalid URL becomes a failure of kind `redirect`. */
async function checkRedirect(
  { location, from, status }: { location: string; from: URL; status: number },
  rules: AddressRules,
  deadline: Deadline,
): Promise<CheckedUrl> {
  try {
    const next = parseAddress(location, from)
    if (from.protocol === 'https:' && next.protocol === 'http:') {
      throw new FetchFailure('redirect', `redirect from https down to ${shown(next)} not followed`, { status })
    }
    return await checkParsedUrl(next, rules, deadline)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    if (error.kind === 'bad_url') throw new FetchFailure('redirect', `redirect refused: ${error.message}`, { status, cause: error })
    if (error.kind !== 'private_address') throw error
    throw new FetchFailure('private_address', 'redirect to a private address', { status, cause: error })
  }
}

/** The Location of a redirect; undefined for other responses. Header values are decoded as latin1, but URLs are UTF-8. */
function redirectLocation({ status, headers }: Exchange): string | undefined {
  const location = headers['location']
  return location !== undefined && [301, 302, 303, 307, 308].includes(status) ? Buffer.from(location, 'latin1').toString() : undefined
}

function statusFailure(exchange: Exchange, url: URL): FetchFailure | null {
  const { status } = exchange
  if (status >= 200 && status <= 299) return null
  const location = redirectLocation(exchange)
  if (location === undefined) return new FetchFailure('status', `answered ${status}`, { status })
  const next = URL.parse(location, url.href)
  return new FetchFailure('redirect', `redirect to ${next === null ? 'an unreadable address' : shown(next)} not followed`, { status })
}

/** A URL for logs: without user information and query, and truncated. */
function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200)
}
