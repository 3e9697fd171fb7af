import { buffer } from 'node:stream/consumers'
import type { Failure } from '../../contract/failures.ts'
import { beforeSubmit } from '../beforeSubmit.ts'
import type { JobSpec } from '../provider.ts'

/** An image as Google's requests carry it. */
export type InlineImage = { mimeType: string; data: string }

/** Of all inputs together: as base64, with the prompt, they stay below the 100 MB that a request may have. */
const inlineBytesMax = 70 * 1024 * 1024

/** What Google would say of inputs that no request can carry. */
export function inlineVerdict({ inputs }: Pick<JobSpec, 'inputs'>): Failure | undefined {
  const actualBytes = inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (actualBytes <= inlineBytesMax) return undefined
  return { code: 'file_size', reason: 'file_too_large', details: { maxBytes: inlineBytesMax, actualBytes } }
}

/** Reads the inputs for a request. */
export async function inlineImages({ inputs }: Pick<JobSpec, 'inputs'>): Promise<InlineImage[]> {
  return beforeSubmit(async () => {
    const images: InlineImage[] = []
    for (const input of inputs) images.push({ mimeType: input.mimeType, data: (await buffer(await input.open())).toString('base64') })
    return images
  })
}
