import type { Failure } from '../../../contract/failures/failures.ts'
import { dataUri } from '../../connector/dataUri.ts'
import { publicInputLink } from '../../connector/publicInputLink.ts'
import type { ProviderInput } from '../../provider.ts'

/** Limit of all inline inputs of a request together. A data URI is a third larger. */
export const inlineBytesMax = 8 * 1024 * 1024

/** How each input is sent: by link, or inline (`undefined`). A failure when an input cannot be sent. */
type InputTransport = { links: (string | undefined)[] } | { failure: Failure }

/**
 * Small inputs are sent inline as data URIs, in order, while there is room. fal fetches the others by our links when our public address
 * is reachable. Nothing is stored at fal and no other host of fal is needed.
 */
export function planInputTransport(inputs: readonly ProviderInput[]): InputTransport {
  let roomBytes = inlineBytesMax
  const links: (string | undefined)[] = []
  for (const input of inputs) {
    const isInline = input.sizeBytes <= roomBytes
    if (isInline) roomBytes -= input.sizeBytes
    const link = isInline ? undefined : publicInputLink(input)
    if (!isInline && link === undefined) {
      const details = { maxBytes: inlineBytesMax, actualBytes: inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
      return { failure: { code: 'file_size', reason: 'file_too_large', details } }
    }
    links.push(link)
  }
  return { links }
}

/** The value of each input in the request. */
export async function mediaOf(inputs: readonly ProviderInput[], links: readonly (string | undefined)[]): Promise<string[]> {
  const media: string[] = []
  // One at a time, because each is read into memory.
  for (const [index, input] of inputs.entries()) media.push(links[index] ?? (await dataUri(input)))
  return media
}
