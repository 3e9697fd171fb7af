import { isIP } from 'node:net'
import type { ProviderInput } from '../provider.ts'

/** Names that public DNS does not resolve (RFC 6761, 6762, 8375, and the top-level domain for private use). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example|home\.arpa)$/

/**
 * Returns our link to an input if a vendor on the internet can fetch it, otherwise `undefined`. The link must be https with a dotted,
 * public host name. Makes no DNS request, so that every attempt gets the same result.
 */
export function publicInputLink(input: ProviderInput): string | undefined {
  const link = input.link()
  const { protocol, hostname } = new URL(link)
  const name = hostname.replace(/\.$/, '')
  const hasPublicName = isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0 && name.includes('.') && !privateNames.test(name)
  return protocol === 'https:' && hasPublicName ? link : undefined
}
