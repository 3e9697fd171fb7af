import type { Failure } from '../../../contract/failures/failures.ts'
import { mediaFormats } from '../../../media/mediaFormats.ts'
import { dataUri } from '../../connector/dataUri.ts'
import { getTextAtPath } from '../../connector/jsonPath.ts'
import { multipart } from '../../connector/multipart.ts'
import { statusFailure } from '../../connector/statusFailure.ts'
import type { VendorClient } from '../../connector/vendorClient.ts'
import type { JobSpec, ProviderInput } from '../../provider.ts'

/** Size limits of a data URI and of a file upload. */
export const inlineBytesMax = 256 * 1024
export const uploadBytesMax = 100 * 1024 * 1024

/** The failure of inputs that are too large for Replicate. */
export function inputsFailure(inputs: readonly ProviderInput[]): Failure | undefined {
  const large = inputs.find(({ sizeBytes }) => sizeBytes > uploadBytesMax)
  if (large === undefined) return undefined
  return { code: 'file_size', reason: 'file_too_large', details: { maxBytes: uploadBytesMax, actualBytes: large.sizeBytes } }
}

/**
 * Returns the value of each input in the request: a data URI for small ones, otherwise the URL of an uploaded file, which Replicate
 * deletes after a day. Returns a failure when Replicate refuses a file for good. Throws when an upload fails.
 */
export async function mediaOf(ask: VendorClient, spec: JobSpec, signal: AbortSignal): Promise<string[] | Failure> {
  const media: string[] = []
  for (const [index, input] of spec.inputs.entries()) {
    const value = input.sizeBytes <= inlineBytesMax ? await dataUri(input) : await upload(ask, { input, index, spec, signal })
    if (typeof value !== 'string') return value
    media.push(value)
  }
  return media
}

type Upload = { input: ProviderInput; index: number; spec: JobSpec; signal: AbortSignal }

async function upload(ask: VendorClient, { input, index, spec, signal }: Upload): Promise<string | Failure> {
  const file = { name: 'content', fileName: `input-${index}.${extensionOf(input.mimeType)}`, input }
  const form = multipart([file], `${spec.idempotencyKey}:${index}`)
  const answer = await ask.json({ method: 'POST', path: '/files', headers: form.headers, body: form.body, signal })
  const address = getTextAtPath(answer.body, 'urls.get')
  if (answer.status <= 299 && address !== undefined) return address
  if (answer.status > 299 && answer.status < 500 && answer.status !== 429 && answer.status !== 408) return statusFailure(answer.status)
  throw new Error(`Replicate responded to an upload with ${answer.status}`)
}

function extensionOf(mimeType: string): string {
  return Object.entries(mediaFormats).find(([, format]) => format.mimeType === mimeType)?.[0] ?? 'bin'
}
