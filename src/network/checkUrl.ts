import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type AddressClass, type Cidr, classifyAddress } from './addresses.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { FetchFailure } from './fetchFailure.ts'
import { isOwn, type OwnAddresses } from './ownAddresses.ts'

/** All addresses of a host name, as text, unless `signal` aborts before. Rejects as node:dns does when there are none. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/** What an outgoing request may reach. Contract: docs/contract.md#files-by-link, docs/contract.md#webhook-addresses. */
export type AddressRules = {
  /** Blocks that may be reached although they are not public. */
  allowedPrivate: readonly Cidr[]
  /** Where we are reached ourselves, which no exception opens. */
  own: OwnAddresses
  /** Origins that the operator has named, such as a vendor's own, which may be anywhere. */
  trustedOrigins?: readonly string[]
  /** `https` lets plain http through only when all addresses of the host lie inside `allowedPrivate`. */
  schemes: 'http_and_https' | 'https'
  /** `web` lets ports other than 80 and 443 through only when all addresses of the host lie inside `allowedPrivate`. */
  ports: 'web' | 'any'
  /** Default: the system's resolver, for names that the operator or a vendor gave. Names of callers take {@link callerResolver}. */
  resolve?: Resolve
}

/** An address that passed: the only addresses that a connection for `url` may go to. Never empty. */
export type CheckedUrl = { url: URL; addresses: readonly string[] }

/**
 * Parses an address, resolves its host and judges every answer, without opening a connection.
 * `deadlineSeconds` limits the look-up. The verdict holds for now only: a name may answer otherwise a moment later.
 * Throws {@link FetchFailure}: `bad_url`, `dns`, `private_address` (one refused answer refuses the host), `timeout`, `aborted`.
 */
export async function checkUrl(
  address: string,
  rules: AddressRules & { deadlineSeconds: number; signal?: AbortSignal },
): Promise<CheckedUrl> {
  const url = parseAddress(address)
  const deadline = startDeadline(rules)
  try {
    return await checkParsedUrl(url, rules, deadline)
  } finally {
    deadline.end()
  }
}

/** Parses an address and checks its scheme and user information. Throws {@link FetchFailure} of kind `bad_url`. */
export function parseAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (url === null) throw new FetchFailure('bad_url', 'address is not a URL', { problem: 'syntax' })
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new FetchFailure('bad_url', 'address is neither http nor https', { problem: 'scheme' })
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchFailure('bad_url', 'address carries user information', { problem: 'user_information' })
  }
  return url
}

/** As {@link checkUrl}, for what {@link parseAddress} returned and within a time limit that runs already. */
export async function checkParsedUrl(url: URL, rules: AddressRules, deadline: Deadline): Promise<CheckedUrl> {
  deadline.signal.throwIfAborted()
  deadline.stage = 'resolving'
  const literal = addressLiteral(url)
  const addresses = literal === undefined ? await resolveAll(url.hostname, rules.resolve ?? resolveBySystem, deadline) : [literal]
  const isTrusted = rules.trustedOrigins?.includes(url.origin) ?? false
  // A machine that a vendor shares with us has one name for both: the port tells them apart.
  const own = isTrusted ? { ...rules.own, names: [] } : rules.own
  if (isOwn(url, addresses, own)) throw new FetchFailure('private_address', ownAddressMessage)
  if (isTrusted) return { url, addresses }
  requireAllowed(
    url,
    rules,
    addresses.map((address) => classifyAddress(address, rules.allowedPrivate)),
  )
  return { url, addresses }
}

/** Said of an address of our own. */
export const ownAddressMessage = 'address is one of this service'

/**
 * The IP address that stands in the URL itself, if one does. The URL parser has already turned every other spelling of IPv4
 * (short, octal, hexadecimal, one number, full-width, trailing dot) into four decimal parts.
 */
export function addressLiteral(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? undefined : host
}

async function resolveAll(hostname: string, resolve: Resolve, deadline: Deadline): Promise<readonly string[]> {
  try {
    const addresses = await deadline.wait(resolve(hostname, deadline.signal))
    if (addresses.length > 0) return addresses
  } catch (error) {
    if (error instanceof FetchFailure) throw error
    const answered = !(error instanceof Error && 'code' in error && error.code === 'EAI_AGAIN')
    throw new FetchFailure('dns', answered ? 'name does not resolve' : 'name server does not answer', { cause: error })
  }
  throw new FetchFailure('dns', 'name does not resolve')
}

async function resolveBySystem(hostname: string): Promise<string[]> {
  // Every name under localhost is this machine, whatever a name server says (RFC 6761).
  const answers = await lookup(/(^|\.)localhost\.?$/.test(hostname) ? 'localhost' : hostname, { all: true, order: 'verbatim' })
  return answers.map((answer) => answer.address)
}

function requireAllowed(url: URL, rules: AddressRules, verdicts: AddressClass[]): void {
  if (verdicts.includes('refused')) throw new FetchFailure('private_address', 'address is private')
  if (!verdicts.includes('public')) return
  if (url.protocol === 'http:' && rules.schemes === 'https') {
    throw new FetchFailure('bad_url', 'address is not https', { problem: 'scheme' })
  }
  if (url.port !== '' && url.port !== '80' && url.port !== '443' && rules.ports === 'web') {
    throw new FetchFailure('bad_url', `port ${url.port} is not allowed`, { problem: 'port' })
  }
}
