import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { type Cidr, isInside } from './addresses.ts'

/** IPv6 is assigned in blocks of this size, so one client controls all addresses of its block. */
const clientPrefixBits = 64

/**
 * Returns the address that a request counts for. `addresses`: the peer, then the entries of `X-Forwarded-For` from its end, as far as
 * proxies are trusted. The last valid address counts: IPv4 (also mapped) as it is, IPv6 by its /64.
 * Contract: docs/contract.md#rate-and-concurrency.
 */
export function rateLimitAddress(addresses: readonly (string | undefined)[]): string {
  const client = clientAddress(addresses)
  return client === undefined ? 'unknown' : blocks.memo(client)
}

/** The blocks of recent addresses: a request asks several times, and parsing an address takes microseconds. */
const blocks = new LRUCache<string, string>({ max: 5_000, memoMethod: blockOf })

/** The address of the client, from the same list. */
export function clientAddress(addresses: readonly (string | undefined)[]): string | undefined {
  return addresses.map((each) => bareAddress(each ?? '')).findLast((each) => each !== undefined)
}

/** True when the address is a trusted proxy, in any notation. */
export function isTrusted(address: string | undefined, trusted: readonly Cidr[]): boolean {
  const bare = bareAddress(address ?? '')
  return bare !== undefined && isInside(bare, trusted)
}

/** The address of one entry. Some proxies add the port, with IPv6 in brackets. */
function bareAddress(entry: string): string | undefined {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(entry) ?? []
  const address = inBrackets ?? beforePort ?? entry
  return isIP(address) === 0 ? undefined : address
}

function blockOf(address: string): string {
  const parsed = ipaddr.process(address.replace(/%.*$/, ''))
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${clientPrefixBits}`).toString()}/${clientPrefixBits}`
}
