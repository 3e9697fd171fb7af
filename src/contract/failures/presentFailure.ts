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

/** What is said of a class whose reason is not in the table. */
export const classMessage = 'The generation failed.'

type Reasons = Readonly<Record<string, { message: string; hint: FailureHint }>>

/** Looks a stored failure up in the table; a reason that left the table is still answered, as its class. */
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
