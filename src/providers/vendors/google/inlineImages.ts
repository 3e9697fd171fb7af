import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { type JsonRequest, jsonWithFiles } from '../../connector/jsonWithFiles.ts'
import type { JobSpec } from '../../provider.ts'

/** An image as Google's requests carry it. */
export type InlineImage = { mimeType: string; data: string }

/** Of all inputs together: as base64, with the prompt, they stay below the 100 MB that a request may have. */
const inlineBytesMax = 70 * 1024 * 1024

/** What Google would say of inputs that no request can carry. */
export function checkInlineSize({ inputs }: Pick<JobSpec, 'inputs'>): Failure | undefined {
  const actualBytes = inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (actualBytes <= inlineBytesMax) return undefined
  return { code: 'file_size', reason: 'file_too_large', details: { maxBytes: inlineBytesMax, actualBytes } }
}

/** A request in which the inputs stand as `json` places them. */
export async function withImages(
  { inputs, idempotencyKey }: Pick<JobSpec, 'inputs' | 'idempotencyKey'>,
  json: (images: readonly InlineImage[]) => Json,
): Promise<JsonRequest> {
  return jsonWithFiles(inputs, idempotencyKey, (texts) =>
    json(inputs.map(({ mimeType }, index) => ({ mimeType, data: texts[index] ?? '' }))),
  )
}
