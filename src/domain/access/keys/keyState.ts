import type { keyStates } from '../../../contract/shapes/keyRecord.ts'
import type { ApiKey } from '../../../entities/ApiKey.ts'

export type KeyState = (typeof keyStates)[number]

/** The same rule as the SQL function `key_is_live`. `revoked` is final and wins over `expired`, which a later `expiresAt` undoes. */
export function stateOfKey({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'live'
}

/** When the previous value stops working; `null` when it has stopped. */
export function previousValueEndsAt(key: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'previousUntil'>, now: Date): Date | null {
  const { previousUntil } = key
  return previousUntil !== null && previousUntil > now && stateOfKey(key, now) === 'live' ? previousUntil : null
}
