import type { Detected } from './detectFormat.ts'
import type { ProcessingCause } from './inspection/unprocessable.ts'
import { allowedMimeTypes, type MediaType, mimeTypeMatches } from './mediaFormats.ts'

/** Measurements of usable content: displayed pixels and measured seconds. Each is `null` when it does not apply. */
export type Measured = {
  ok: true
  type: MediaType
  mimeType: string
  width: number | null
  height: number | null
  durationSeconds: number | null
}

/** `detected` is `null` when nothing was recognised, `declared` when nothing was declared. Contract: docs/contract.md#upload-a-file. */
export type UnsupportedFormat = {
  ok: false
  refusal: 'unsupported_file_format'
  detected: string | null
  declared: string | null
  allowed: readonly string[]
}

export type ProcessingFailed = { ok: false; refusal: 'file_processing_failed'; cause: ProcessingCause }

export type InspectionResult = Measured | UnsupportedFormat | ProcessingFailed

/** The refusal of content that is not accepted or contradicts the declared types; `undefined` when it may be inspected. */
export function checkDeclaredType(detected: Detected, declaredMimeTypes: readonly string[]): UnsupportedFormat | undefined {
  if (detected.candidates.length === 0) return unsupported(detected.mimeType, declaredMimeTypes[0])
  const contradicting = declaredMimeTypes.find((declared) => !detected.candidates.some((format) => mimeTypeMatches(declared, format)))
  return contradicting === undefined ? undefined : unsupported(detected.mimeType, contradicting)
}

export function unsupported(detected: string | null, declaredMimeType: string | undefined): UnsupportedFormat {
  return {
    ok: false,
    refusal: 'unsupported_file_format',
    detected,
    declared: declaredMimeType ?? null,
    allowed: allowedMimeTypes,
  }
}

/** True for failures that may be caused by the inspector instead of the content: timeout, out of memory, crash. */
export function isInspectorFault(inspected: InspectionResult): boolean {
  return !inspected.ok && inspected.refusal === 'file_processing_failed' && inspectorCauses.has(inspected.cause)
}

const inspectorCauses: ReadonlySet<ProcessingCause> = new Set(['timed_out', 'out_of_memory', 'crashed'])
