import { limits } from '../../../contract/limits.ts'

/**
 * Returns the seconds from a failed attempt to the next one, doubling from `firstSeconds`; `null` when no retry is left.
 * Contract: docs/contract.md#retries.
 */
export function retryDelaySeconds(firstSeconds: number, retriesLeft: number): number | null {
  return retriesLeft > 0 ? firstSeconds * 2 ** (limits.webhookRetries - retriesLeft) : null
}
