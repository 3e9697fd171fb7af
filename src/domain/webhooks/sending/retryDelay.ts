import { limits } from '../../../contract/limits.ts'

/**
 * Returns the seconds from a failed attempt to the next one, doubling from `firstSeconds` (by default 10, 20, 40, 80, 160, 320); `null`
 * when no retry is left.
 * Contract: docs/contract.md#retries.
 */
export function retryDelaySeconds(firstSeconds: number, retriesLeft: number): number | null {
  return retriesLeft > 0 ? firstSeconds * 2 ** (limits.webhookRetries - retriesLeft) : null
}
