import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Cidr, isInside } from './addresses.ts'

/** IPv6 is given out in blocks of this size: whoever has one address has them all. */
const clientPrefixBits = 64

/**
 * Whom a request is counted for, by the addresses that it passed: its peer first, then what `X-Forwarded-For` says from its end, as far
 * as proxies are trusted. The last one counts; one that is no address, which a trusted proxy would not write, leaves the one before.
 * IPv4 as it is, also inside IPv6; IPv6 by its /64. Contract: docs/contract.md#rate-and-concurrency.
 */
export function rateLimitAddress(addresses: readonly (string | undefined)[]): string {
  const client = clientAddress(addresses)
  return client === undefined ? 'unknown' : blockOf(client)
}

/** The address of the client itself, by the same addresses. */
export function clientAddress(addresses: readonly (string | undefined)[]): string | undefined {
  return addresses.map((each) => bareAddress(each ?? '')).findLast((each) => each !== undefined)
}

/** Whether the other side of a hop is a proxy of ours, in whatever spelling it stands. */
export function isTrusted(address: string | undefined, trusted: readonly Cidr[]): boolean {
  const bare = bareAddress(address ?? '')
  return bare !== undefined && isInside(bare, trusted)
}

/** The address in one entry: some proxies add the port, and IPv6 then stands in brackets. */
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
