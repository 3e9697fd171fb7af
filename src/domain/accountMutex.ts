import { type KeyedMutex, keyedMutex } from '../concurrency/keyedMutex.ts'
import { Refusal } from '../contract/refusals/refusals.ts'

/** A call that waits longer for a locked account fails together with the call before it: requests are answered within five seconds. */
const waitMilliseconds = 2_000

/**
 * Serialises the work that locks one account's row, within this process. Without it, each call for a locked account would hold a
 * connection while it waits for the row lock, and other teams would get none.
 */
export function accountMutex(): KeyedMutex {
  return keyedMutex({ waitMilliseconds, isShared: isUnavailable })
}

/** True when the database was unreachable or a lock was not free in time. The work may still have been committed. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'service_unavailable'
}
