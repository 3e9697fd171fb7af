import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type AddressClass, type Cidr, classifyAddress } from './addresses.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { FetchFailure } from './fetchFailure.ts'
import { isOwn, type OwnAddresses } from './ownAddresses.ts'

/** Returns all addresses of a host name, until `signal` aborts. Rejects like node:dns when there are none. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/** The allowed targets of an outgoing request. Contract: docs/contract.md#files-by-link, docs/contract.md#webhook-addresses. */
export type AddressRules = {
  /** Private blocks that are allowed. */
  allowedPrivate: readonly Cidr[]
  /** Addresses of this service, always refused. */
  own: OwnAddresses
  /** Origins that the operator configured, such as a vendor's. They may have any address. */
  trustedOrigins?: readonly string[]
  /** `https` allows plain http only when all addresses of the host are in `allowedPrivate`. */
  schemes: 'http_and_https' | 'https'
  /** `web` allows ports other than 80 and 443 only when all addresses of the host are in `allowedPrivate`. */
  ports: 'web' | 'any'
  /** Default: the system's resolver, for names from the operator or a vendor. For names from callers use {@link callerResolver}. */
  resolve?: Resolve
}

/** A checked URL. A connection for it may only use `addresses`, which is never empty. */
export type CheckedUrl = { url: URL; addresses: readonly string[] }

/**
 * Parses a URL, resolves its host and classifies every address, without opening a connection. `deadlineSeconds` limits the look-up. The
 * result is valid only now: the name may resolve differently later.
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

/** Parses a URL and checks its scheme and user information. Throws {@link FetchFailure} of kind `bad_url`. */
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

/** Like {@link checkUrl}, for a parsed URL and within a running deadline. */
export async function checkParsedUrl(url: URL, rules: AddressRules, deadline: Deadline): Promise<CheckedUrl> {
  deadline.signal.throwIfAborted()
  deadline.stage = 'resolving'
  const literal = addressLiteral(url)
  const addresses = literal === undefined ? await resolveAll(url.hostname, rules.resolve ?? resolveBySystem, deadline) : [literal]
  const isTrusted = rules.trustedOrigins?.includes(url.origin) ?? false
  // A vendor on the same machine may share our host name. Then the port distinguishes the two.
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

/** The message for an address of this service. */
export const ownAddressMessage = 'address is one of this service'

/**
 * The IP address literal of the URL, if its host is one. The URL parser has already converted every other notation of IPv4 (short, octal,
 * hexadecimal, one number, full-width, trailing dot) into four decimal parts.
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
  // Every name below localhost is this machine, whatever a name server answers (RFC 6761).
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
