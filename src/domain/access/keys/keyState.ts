import type { ApiKey } from '../../../entities/ApiKey.ts'

/** `live`: it opens something, as far as it goes by the key itself. */
export const keyStates = ['live', 'expired', 'revoked'] as const
export type KeyState = (typeof keyStates)[number]

/** As the database judges by `key_lives`. Revoked for good comes before expired, which a later end takes back. */
export function stateOfKey({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'live'
}

/** When the value before the last rotation stops working; `null` when none does any more. */
export function previousValueEndsAt(key: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'previousUntil'>, now: Date): Date | null {
  const { previousUntil } = key
  return previousUntil !== null && previousUntil > now && stateOfKey(key, now) === 'live' ? previousUntil : null
}
