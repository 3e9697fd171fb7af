import { Refusal, type RefusalCode } from '../contract/refusals/refusals.ts'

const failures = new WeakSet<Error>()

/** These say that nothing was changed, although their status is 500 or above. */
const certain: ReadonlySet<RefusalCode> = new Set(['family_unavailable', 'queue_unavailable'])

/** Rethrows a failure of a change, and marks it when the change may have been made all the same. */
export function rethrowUnknownOutcome(error: unknown): never {
  const isCertain = error instanceof Refusal && (error.http < 500 || certain.has(error.code))
  if (error instanceof Error && !isCertain) failures.add(error)
  throw error
}

/** Whether the change that failed with this error may have been made. */
export function hasUnknownOutcome(error: unknown): boolean {
  return error instanceof Error && failures.has(error)
}
