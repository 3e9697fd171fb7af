import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A block of addresses; every address whose first `prefixBits` bits are those of `network` is inside. */
export type Cidr = { readonly network: ipaddr.IPv4 | ipaddr.IPv6; readonly prefixBits: number }

/** `allowed`: inside an exception of the operator. `public`: anyone may reach it. `refused`: neither. */
export type AddressClass = 'allowed' | 'public' | 'refused'

/**
 * Judges one IP address in the spelling of a resolver or a socket. What is no well-formed address is refused.
 * IPv4 inside IPv6 (`::ffff:a.b.c.d`) is judged, and matched against `allowed`, as IPv4.
 * Contract: docs/contract.md#files-by-link, docs/contract.md#webhook-addresses.
 */
export function classifyAddress(address: string, allowed: readonly Cidr[]): AddressClass {
  if (isIP(address) === 0) return 'refused'
  const parsed = unmapped(parseStrictly(address))
  if (allowed.some((cidr) => contains(cidr, parsed))) return 'allowed'
  if (parsed.kind() === 'ipv6' && !contains(globalUnicastV6, parsed)) return 'refused'
  return refusedCidrs.some((cidr) => contains(cidr, parsed)) ? 'refused' : 'public'
}

/** Whether an address lies in one of the blocks; what is no well-formed address lies in none. */
export function isInside(address: string, cidrs: readonly Cidr[]): boolean {
  if (isIP(address) === 0) return false
  const parsed = unmapped(parseStrictly(address))
  return cidrs.some((cidr) => contains(cidr, parsed))
}

/**
 * Reads a list of CIDRs, divided by commas or white space; an address without a prefix stands for itself alone.
 * Empty text is an empty list. Throws an Error whose message names the first entry that is none.
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
  // A mapped block is kept as IPv4, as the addresses that it is compared with are; a wider one is no block of mapped addresses.
  if (network.kind() === written.kind()) return { network, prefixBits }
  return prefixBits >= 96 ? { network, prefixBits: prefixBits - 96 } : { network: written, prefixBits }
}

function badCidr(entry: string): Error {
  return new Error(`"${entry}" is no block of addresses such as 10.0.0.0/8 or fd00::/8`)
}

/** `text` has passed isIP. The zone of a link-local address decides nothing. */
function parseStrictly(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text)
  // ipaddr.js takes ::8.8.8.8 for the mapped ::ffff:8.8.8.8, so it is given the URL parser's form, which has no dotted tail.
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
// benchmarking, multicast, reserved, and the address at which Azure answers its guests (Alibaba's lies in 100.64/10).
// IPv6 outside 2000::/3 needs no entry: loopback, mapped, NAT64, discard, segment routing, unique local, link-local, multicast.
const refusedCidrs = parseCidrs(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
  198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
  2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
`)
