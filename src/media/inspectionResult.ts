import type { Detected } from './detectFormat.ts'
import type { ProcessingCause } from './inspection/unprocessable.ts'
import { allowedMimeTypes, type MediaType, mimeTypeMatches } from './mediaFormats.ts'

/** What is known of usable content: pixels as shown, seconds as measured, each `null` where it means nothing. */
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

/** The refusal of content that no accepted format fits, or that contradicts what is declared; `undefined` when it may go on. */
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

/** Whether a failure says more of the inspector than of the content: it took too long, ran out of memory or crashed. */
export function isInspectorFault(inspected: InspectionResult): boolean {
  return !inspected.ok && inspected.refusal === 'file_processing_failed' && undecided.has(inspected.cause)
}

const undecided: ReadonlySet<ProcessingCause> = new Set(['timed_out', 'out_of_memory', 'crashed'])
