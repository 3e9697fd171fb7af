import { type KeyedMutex, keyedMutex } from '../concurrency/keyedMutex.ts'
import { Refusal } from '../contract/refusals/refusals.ts'

/** What waits for longer behind a locked account fails with the call before it: requests are answered within five seconds. */
const waitMilliseconds = 2_000

/**
 * Runs what locks the row of an account one at a time for each account in this process. It waits at the row in any case: at once, the calls
 * for a locked account would take a connection each, and none would be left for other teams.
 */
export function accountMutex(): KeyedMutex {
  return keyedMutex({ waitMilliseconds, isShared: isUnavailable })
}

/** The database could not be reached, or a lock was not free in time; the work may be done all the same. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'service_unavailable'
}
