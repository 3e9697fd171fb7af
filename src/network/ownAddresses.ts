import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The addresses of this deployment. Outgoing requests for users must never reach them. */
export type OwnAddresses = {
  /** The listeners; the unspecified address means all addresses of this machine. */
  readonly listeners: readonly { readonly address: string; readonly port: number }[]
  /** Host names of the deployment, for any port. */
  readonly names: readonly string[]
}

/**
 * Collects the addresses of the listeners and of the public origins. Local names and IP addresses apply only with their port; any other
 * name belongs to this deployment with every port.
 */
export async function ownAddressesOf(
  listeners: readonly { host: string; port: number }[],
  origins: readonly string[],
): Promise<OwnAddresses> {
  const urls = origins.map((origin) => new URL(origin))
  const isName = ({ hostname }: URL) => isIP(bare(hostname)) === 0 && !isLocalName(hostname)
  const hosts = [...listeners, ...urls.filter((url) => !isName(url)).map((url) => ({ host: bare(url.hostname), port: portOf(url) }))]
  const resolved = await Promise.all(hosts.map(async ({ host, port }) => (await addressesOf(host)).map((address) => ({ address, port }))))
  return { listeners: resolved.flat(), names: urls.filter(isName).map(({ hostname }) => withoutDot(hostname)) }
}

/** True when a connection for `url` to one of `addresses` would reach this deployment. */
export function isOwn(url: URL, addresses: readonly string[], own: OwnAddresses): boolean {
  if (own.names.includes(withoutDot(url.hostname))) return true
  const bound = own.listeners.filter(({ port }) => port === portOf(url)).map(({ address }) => canonical(address))
  if (bound.length === 0) return false
  return addresses.map(canonical).some((target) => {
    if (bound.includes(target)) return true
    // As a target, the unspecified address is this machine. As a listener, it is every address of this machine.
    return isUnspecified(target) ? bound.some(isOfThisMachine) : bound.some(isUnspecified) && isOfThisMachine(target)
  })
}

function isOfThisMachine(address: string): boolean {
  if (ipaddr.parse(address).range() === 'loopback' || isUnspecified(address)) return true
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some((each) => canonical(each.address) === address))
}

function isUnspecified(address: string): boolean {
  return ipaddr.parse(address).range() === 'unspecified'
}

/** The canonical notation of an address; mapped IPv4 becomes IPv4. */
function canonical(address: string): string {
  return ipaddr.process(address.replace(/%.*$/, '')).toString()
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const answers = await lookup(host, { all: true }).catch(() => [])
  return answers.map(({ address }) => address)
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname)
}

function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function withoutDot(hostname: string): string {
  return hostname.replace(/\.$/, '')
}
