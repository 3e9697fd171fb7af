import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Resolve } from './checkUrl.ts'

export type CallerResolverOptions = {
  /** Name servers as `address:port`. Default: the system's. */
  servers?: readonly string[]
  hostsFile?: string
  /** Timeout of the first attempt at a name server. The second and last attempt has twice as long. */
  timeoutMilliseconds?: number
  lookUpsPerOwnerMax?: number
}

/** The queries of one owner. A resolver can only cancel all of its queries, so each owner has its own. */
type OwnerLookups = { resolver: Resolver; wanted: number; running: number }

/** A zone without an answer is not queried again for this time by the same owner. Shorter than the first retry delay of a webhook. */
const silentMilliseconds = 5_000
const silentZonesMax = 10_000
const hostsKeptMilliseconds = 5_000

/**
 * Resolves host names from callers, separately from the system's resolver, which is for names from operators. That one has few threads and
 * cannot be cancelled, so a few names with silent servers would block all others. `for(owner)` returns a resolver that limits the
 * concurrent queries of one owner and cancels them when no request waits for them. Search domains are not used. Rejects with code
 * `EAI_AGAIN` when no name server answers, else with `ENOTFOUND`.
 */
export function makeCallerResolver(options: CallerResolverOptions = {}): { for(owner: string): Resolve } {
  const { servers, hostsFile = '/etc/hosts', timeoutMilliseconds = 1_500, lookUpsPerOwnerMax = 32 } = options
  const owners = new Map<string, OwnerLookups>()
  const unresponsiveZones = new LRUCache<string, true>({ max: silentZonesMax, ttl: silentMilliseconds })
  const hosts = hostsIn(hostsFile)

  function openLookUps(owner: string): OwnerLookups {
    const known = owners.get(owner)
    if (known) return known
    const made = { resolver: new Resolver({ timeout: timeoutMilliseconds, tries: 2 }), wanted: 0, running: 0 }
    if (servers) made.resolver.setServers(servers)
    owners.set(owner, made)
    return made
  }

  async function query(owner: string, name: string, signal: AbortSignal): Promise<string[]> {
    const own = openLookUps(owner)
    if (own.running >= lookUpsPerOwnerMax) throw unanswered(`${owner} has ${own.running} look-ups in progress`)
    own.running += 1
    own.wanted += 1
    const leave = () => {
      own.wanted -= 1
      if (own.wanted === 0) own.resolver.cancel()
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await addressesOf(own.resolver, name)
    } finally {
      own.running -= 1
      signal.removeEventListener('abort', leave)
      if (!signal.aborted) own.wanted -= 1
      if (own.running === 0) owners.delete(owner)
    }
  }

  return {
    for: (owner) => async (hostname, signal) => {
      const name = hostname.toLowerCase().replace(/\.$/, '')
      const listed = (await hosts()).get(name)
      if (listed) return listed
      const zone = `${owner} ${name.slice(name.indexOf('.') + 1)}`
      if (unresponsiveZones.has(zone)) throw unanswered('the name servers of the zone did not answer a moment ago')
      signal.throwIfAborted()
      try {
        return await query(owner, name, signal)
      } catch (error) {
        if (!signal.aborted && isUnanswered(error)) unresponsiveZones.set(zone, true)
        throw error
      }
    },
  }
}

/** The resolver of the process, with the system's name servers. */
export const callerResolver = makeCallerResolver()

async function addressesOf(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const codes = answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException).code : undefined))
  // ENOTFOUND is an answer for both address families.
  if (codes.some((code) => code === 'ENOTFOUND')) throw notFound(name)
  if (codes.every((code) => code === 'ENODATA' || code === 'EBADNAME')) throw notFound(name)
  throw unanswered(`${name}: ${codes.join(', ')}`)
}

/** Reads names from the hosts file, again when it may have changed. Names below localhost always mean this machine. */
function hostsIn(file: string): () => Promise<{ get(name: string): string[] | undefined }> {
  let readAt = Number.NEGATIVE_INFINITY
  let known = Promise.resolve(new Map<string, string[]>())
  return async () => {
    if (performance.now() - readAt > hostsKeptMilliseconds) {
      readAt = performance.now()
      known = readFile(file, 'utf8').then(parseHosts, () => new Map<string, string[]>())
    }
    const hosts = await known
    return { get: (name) => (/(?:^|\.)localhost$/.test(name) ? (hosts.get('localhost') ?? ['127.0.0.1', '::1']) : hosts.get(name)) }
  }
}

function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) hosts.set(name, [...(hosts.get(name) ?? []), address])
  }
  return hosts
}

function unanswered(message: string): Error {
  return Object.assign(new Error(message), { code: 'EAI_AGAIN' })
}

function notFound(name: string): Error {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' })
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAI_AGAIN'
}
