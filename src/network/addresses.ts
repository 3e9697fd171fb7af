import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A CIDR block: all addresses that share the first `prefixBits` bits with `network`. */
export type Cidr = { readonly network: ipaddr.IPv4 | ipaddr.IPv6; readonly prefixBits: number }

/** `allowed`: in a block that the operator allows. `public`: globally reachable. `refused`: neither. */
export type AddressClass = 'allowed' | 'public' | 'refused'

/**
 * Classifies an IP address as a resolver or a socket writes it. A malformed address is refused. IPv4-mapped IPv6 (`::ffff:a.b.c.d`) is
 * treated as IPv4.
 * Contract: docs/contract.md#files-by-link, docs/contract.md#webhook-addresses.
 */
export function classifyAddress(address: string, allowed: readonly Cidr[]): AddressClass {
  if (isIP(address) === 0) return 'refused'
  const parsed = unmapped(parseStrictly(address))
  if (allowed.some((cidr) => contains(cidr, parsed))) return 'allowed'
  if (parsed.kind() === 'ipv6' && !contains(globalUnicastV6, parsed)) return 'refused'
  return refusedCidrs.some((cidr) => contains(cidr, parsed)) ? 'refused' : 'public'
}

/** True when an address is in one of the blocks. A malformed address is in none. */
export function isInside(address: string, cidrs: readonly Cidr[]): boolean {
  if (isIP(address) === 0) return false
  const parsed = unmapped(parseStrictly(address))
  return cidrs.some((cidr) => contains(cidr, parsed))
}

/**
 * Parses CIDR blocks separated by commas or white space. An address without a prefix is a block of one. Empty text is an empty list.
 * Throws an Error that names the first invalid entry.
 */
export function parseCidrs(text: string): Cidr[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseCidr)
}

function parseCidr(entry: string): Cidr {
  const [address = '', prefix, ...rest] = entry.split('/')
  const wellFormed =
    isIP(address) !== 0 && !address.includes('%') && rest.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix))
  if (!wellFormed) throw badCidr(entry)
  const written = parseStrictly(address)
  const writtenBits = written.kind() === 'ipv4' ? 32 : 128
  const prefixBits = prefix === undefined ? writtenBits : Number(prefix)
  if (prefixBits > writtenBits) throw badCidr(entry)
  const network = unmapped(written)
  // A block of mapped addresses is stored as IPv4, like the addresses that it is compared with. A wider block contains more than those.
  if (network.kind() === written.kind()) return { network, prefixBits }
  return prefixBits >= 96 ? { network, prefixBits: prefixBits - 96 } : { network: written, prefixBits }
}

function badCidr(entry: string): Error {
  return new Error(`"${entry}" is not an address block such as 10.0.0.0/8 or fd00::/8`)
}

/** `text` has passed isIP. Ignores the zone of a link-local address. */
function parseStrictly(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text)
  // ipaddr.js reads ::8.8.8.8 as the mapped ::ffff:8.8.8.8, so this uses the form of the URL parser, which has no dotted tail.
  const spelled = new URL(`http://[${text.replace(/%.*$/, '')}]/`).hostname
  return ipaddr.IPv6.parse(spelled.slice(1, -1))
}

function unmapped(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function contains(cidr: Cidr, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return cidr.network.kind() === address.kind() && address.match(cidr.network, cidr.prefixBits)
}

const globalUnicastV6 = parseCidr('2000::/3')

// This network, private, carrier-grade, loopback, link-local, protocol and documentation blocks, anycast services,
// benchmarking, multicast, reserved, and the metadata address of Azure (Alibaba's is in 100.64/10).
// IPv6 outside 2000::/3 needs no entry: loopback, mapped, NAT64, discard, segment routing, unique local, link-local, multicast.
const refusedCidrs = parseCidrs(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
  198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
  2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
`)
