import type { ApiKey } from '../../../entities/ApiKey.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { KeyAuthorization } from './keyAuthorization.ts'
import { stateOfKey } from './keyState.ts'

/** Warnings about a key, for the people who manage it. */
export const keyHints = [
  'issuer_without_role',
  'holder_without_role',
  'near_daily_ceiling',
  'near_monthly_ceiling',
  'ends_soon',
  'never_used',
  'idle',
] as const
export type KeyHint = (typeof keyHints)[number]

const hourMs = 3_600_000
/** A ceiling is near when this share of it is used. */
export const nearShare = 0.8
const unusedMs = 24 * hourMs
const idleMs = 90 * 24 * hourMs
/** A key ends soon when it expires within these days. */
export const soonDays = 7
const soonMs = soonDays * 24 * hourMs

type KeyFacts = { dailyLeft: Hundredths | null; monthlyLeft: Hundredths | null; authority: KeyAuthorization; now: Date }

/**
 * The warnings about a live key: its issuer lost the role, the holder of its present value did, 80 % of its daily or monthly ceiling are
 * spent or held, it expires within 7 days, it was never used in the first day, or was not used for 90 days. A lost role of the holder has its own
 * warning, because another rotation repairs it.
 */
export function hintsOf(key: ApiKey, { dailyLeft, monthlyLeft, authority, now }: KeyFacts): KeyHint[] {
  if (stateOfKey(key, now) !== 'live') return []
  const { dailyLimit, monthlyLimit, expiresAt, lastUsedAt, createdAt } = key
  const age = (moment: Date) => now.getTime() - moment.getTime()
  const holds: Record<KeyHint, boolean> = {
    issuer_without_role: !authority.issuer,
    holder_without_role: authority.issuer && !authority.holder,
    near_daily_ceiling: isNear(dailyLimit, dailyLeft),
    near_monthly_ceiling: isNear(monthlyLimit, monthlyLeft),
    ends_soon: expiresAt !== null && -age(expiresAt) < soonMs,
    never_used: lastUsedAt === null && age(createdAt) > unusedMs,
    idle: lastUsedAt !== null && age(lastUsedAt) > idleMs,
  }
  return keyHints.filter((hint) => holds[hint])
}

/** A ceiling of 0 closes the key on purpose. */
function isNear(limit: Hundredths | null, left: Hundredths | null): boolean {
  return limit !== null && limit > 0 && left !== null && limit - left >= nearShare * limit
}
