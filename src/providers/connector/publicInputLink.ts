import { isIP } from 'node:net'
import type { ProviderInput } from '../provider.ts'

/** Names that no public name server answers for (RFC 6761, 6762, 8375, and the top-level domain kept for private use). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example|home\.arpa)$/

/**
 * Our link to an input, when a vendor on the internet can follow it: our public address is https at a name with a dot that is not kept
 * for networks inside. `undefined` otherwise. Nobody is asked for it, so that the answer is the same at every try.
 */
export function publicInputLink(input: ProviderInput): string | undefined {
  const link = input.link()
  const { protocol, hostname } = new URL(link)
  const name = hostname.replace(/\.$/, '')
  const isNamed = isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0 && name.includes('.') && !privateNames.test(name)
  return protocol === 'https:' && isNamed ? link : undefined
}
