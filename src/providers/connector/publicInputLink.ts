import { isIP } from 'node:net'
import type { ProviderInput } from '../provider.ts'

/** Names that public DNS does not resolve (RFC 6761, 6762, 8375, and the top-level domain for private use). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example|home\.arpa)$/

/**
 * Our link to an input if a vendor on the internet can fetch it: our public address is https with a dotted, public host name. Otherwise
 * `undefined`. Makes no DNS request, so every attempt gets the same answer.
 */
export function publicInputLink(input: ProviderInput): string | undefined {
  const link = input.link()
  const { protocol, hostname } = new URL(link)
  const name = hostname.replace(/\.$/, '')
  const isNamed = isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0 && name.includes('.') && !privateNames.test(name)
  return protocol === 'https:' && isNamed ? link : undefined
}
