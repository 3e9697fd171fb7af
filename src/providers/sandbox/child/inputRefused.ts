import type { Failure } from '../../../contract/failures/failures.ts'

/** An unusable input, found while rendering. Becomes the result `refused`. */
export class InputRefused extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: { cause: unknown }) {
    super(`${failure.code}/${failure.reason}`, options)
    this.name = 'InputRefused'
    this.failure = failure
  }
}
