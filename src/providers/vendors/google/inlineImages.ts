import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { type JsonRequest, jsonWithFiles } from '../../connector/jsonWithFiles.ts'
import type { JobSpec } from '../../provider.ts'

/** An image in a request to Google. */
export type InlineImage = { mimeType: string; data: string }

/** Limit of all inputs together. As base64, with the prompt, they stay below the 100 MB of a request. */
const inlineBytesMax = 70 * 1024 * 1024

/** The failure of inputs that are too large for a request. */
export function checkInlineSize({ inputs }: Pick<JobSpec, 'inputs'>): Failure | undefined {
  const actualBytes = inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (actualBytes <= inlineBytesMax) return undefined
  return { code: 'file_size', reason: 'file_too_large', details: { maxBytes: inlineBytesMax, actualBytes } }
}

/** Builds a request with the inputs, placed by `json`. */
export async function withImages(
  { inputs, idempotencyKey }: Pick<JobSpec, 'inputs' | 'idempotencyKey'>,
  json: (images: readonly InlineImage[]) => Json,
): Promise<JsonRequest> {
  return jsonWithFiles(inputs, idempotencyKey, (texts) =>
    json(inputs.map(({ mimeType }, index) => ({ mimeType, data: texts[index] ?? '' }))),
  )
}
