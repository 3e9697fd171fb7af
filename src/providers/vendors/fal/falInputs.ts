import type { Failure } from '../../../contract/failures/failures.ts'
import { dataUri } from '../../connector/dataUri.ts'
import { publicInputLink } from '../../connector/publicInputLink.ts'
import type { ProviderInput } from '../../provider.ts'

/** All inputs of a request together that stand in it themselves; a data URI is a third larger. */
export const inlineBytesMax = 8 * 1024 * 1024

/** By which way each input goes; or the failure, when there is none for one of them. */
type InputTransport = { links: (string | undefined)[] } | { failure: Failure }

/**
 * Small inputs stand in the request as data URIs, one after another as long as there is room; fal fetches the rest by our links, when our
 * public address can be reached from outside. It needs no other host of fal's, and leaves nothing there.
 */
export function planInputTransport(inputs: readonly ProviderInput[]): InputTransport {
  let room = inlineBytesMax
  const links: (string | undefined)[] = []
  for (const input of inputs) {
    const isInline = input.sizeBytes <= room
    if (isInline) room -= input.sizeBytes
    const link = isInline ? undefined : publicInputLink(input)
    if (!isInline && link === undefined) {
      const details = { maxBytes: inlineBytesMax, actualBytes: inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
      return { failure: { code: 'file_size', reason: 'file_too_large', details } }
    }
    links.push(link)
  }
  return { links }
}

/** What stands for each input in the request. */
export async function mediaOf(inputs: readonly ProviderInput[], links: readonly (string | undefined)[]): Promise<string[]> {
  const media: string[] = []
  // One after another: each is read into memory.
  for (const [index, input] of inputs.entries()) media.push(links[index] ?? (await dataUri(input)))
  return media
}
