import type { DocUrls } from '../docUrl.ts'
import { type Failure, type FailureClass, type FailureHint, failureTable } from './failures.ts'

/** The public `error` object of a failed generation. Contract: docs/contract.md#failure-object. */
export type PublicFailure = {
  code: FailureClass
  reason: string
  message: string
  retryable: boolean
  hint: FailureHint
  details?: Record<string, number>
  docUrl: string
}

/** The message for a reason that is not in the table. */
export const classMessage = 'The generation failed.'

type Reasons = Readonly<Record<string, { message: string; hint: FailureHint }>>

/** The public form of a stored failure. A reason that is no longer in the table gets `classMessage`. */
export function presentFailure(failure: Failure, docUrls: DocUrls): PublicFailure {
  const { retryable, reasons } = failureTable[failure.code]
  const known = (reasons as Reasons)[failure.reason] ?? { hint: 'retry' as const, message: classMessage }
  return {
    code: failure.code,
    reason: failure.reason,
    message: known.message,
    retryable,
    hint: known.hint,
    ...(failure.details ? { details: failure.details } : {}),
    docUrl: docUrls.failure(failure.code, failure.reason),
  }
}
