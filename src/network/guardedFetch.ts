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
  /** Sent to the first origin only. Encoding, host and framing are ours: naming one of {@link ourHeaders} is an error in the caller. */
  headers?: Record<string, string>
  /** The body of a POST; a GET has none. */
  body?: Uint8Array
  /** How many redirects a GET follows; 0: none. A POST is never sent on. */
  redirectsMax: number
  /** One limit for all: look-up, connection, TLS, redirects, headers and the whole body. */
  deadlineSeconds: number
  bodyBytesMax: number
  /** How long the body may stay away while its reader waits for more of it. Default: until the deadline. */
  idleSeconds?: number
  /** `success`: an answer outside 2xx is thrown as a failure. `any`: it is returned, with its `failure` beside it. */
  answers: 'success' | 'any'
  signal?: AbortSignal
  /** PEM certificates to trust instead of the system's. */
  trustedCertificates?: string
  /** Where connections are kept between requests; without, each request has one of its own. */
  connections?: ConnectionPool
}

export type GuardedAnswer = {
  status: number
  /** Names in lower case, repeated headers joined with a comma. */
  headers: Record<string, string>
  /** Where the answer came from, after redirects. */
  url: URL
  /** Must be read or destroyed; fails with {@link FetchFailure} only, at the latest when the deadline is over. */
  body: Readable
  /** What a status outside 2xx means in words (kind `status`, or `redirect` for one that was not followed); null for 2xx. */
  failure: FetchFailure | null
}

/**
 * Sends a request to an address that a stranger gave us. Each hop is parsed anew, its host resolved once, all answers judged,
 * and the connection made to what was judged, so that no refused address is ever connected to.
 * Throws {@link FetchFailure}; then, and once the body has ended, nothing of the request is left.
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
    // A name passed when it was saved; that it does not any more is what a reader of the log needs to know.
    const changed =
      error instanceof FetchFailure &&
      error.kind === 'private_address' &&
      error.message !== ownAddressMessage &&
      addressLiteral(url) === undefined
    throw changed ? new FetchFailure('private_address', 'address is private now', { cause: error }) : error
  }
}

/** Judges where a redirect leads. What is wrong with the address as written is a fault of the redirect. */
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

/** The Location of a redirect; undefined for every other answer. Header values come byte by byte, but addresses are meant as UTF-8. */
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

/** An address for a log: no user information, no query, not too long. */
function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200)
}
