import type { Failure } from '../../../contract/failures/failures.ts'

/** An input that the model cannot take, found while rendering; becomes the verdict `refused`. */
export class InputRefused extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: { cause: unknown }) {
    super(`${failure.code}/${failure.reason}`, options)
    this.name = 'InputRefused'
    this.failure = failure
  }
}
