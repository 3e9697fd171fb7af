/** Why accepted content cannot be used; public as `details.cause` of `file_processing_failed`. */
export type ProcessingCause =
  | 'truncated'
  | 'corrupt'
  | 'too_many_pixels'
  | 'unsupported_codec'
  | 'no_tracks'
  | 'no_content'
  | 'external_reference'
  | 'too_complex'
  | 'timed_out'
  | 'out_of_memory'
  | 'crashed'

/** Thrown by format readers when content has the right format but cannot be used. */
export class Unprocessable extends Error {
  readonly reason: ProcessingCause

  constructor(reason: ProcessingCause, message: string) {
    super(message)
    this.name = 'Unprocessable'
    this.reason = reason
  }
}
