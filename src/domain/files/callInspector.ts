import { Refusal } from '../../contract/refusals/refusals.ts'
import type { ProcessingFailed, UnsupportedFormat } from '../../media/inspectionResult.ts'
import { WorkersUnavailable } from '../../media/workers/workersUnavailable.ts'

const retryAfterSeconds = 5

/** Awaits an answer of the inspector. Refusals: service_unavailable when it cannot take the file now. */
export async function callInspector<Answer>(inspection: Promise<Answer>): Promise<Answer> {
  try {
    return await inspection
  } catch (error) {
    throw error instanceof WorkersUnavailable ? new Refusal('service_unavailable', { retryAfterSeconds }, { cause: error }) : error
  }
}

/** The refusal of unusable content. `fileId` is `null` when no file was stored. Contract: docs/contract.md#upload-a-file. */
export function inspectionRefusal(found: UnsupportedFormat | ProcessingFailed, fileId: string | null): Refusal {
  if (found.refusal === 'file_processing_failed') return new Refusal('file_processing_failed', { fileId, cause: found.cause })
  const { detected, declared, allowed } = found
  return new Refusal('unsupported_file_format', { detected, declared, allowed: [...allowed] })
}
