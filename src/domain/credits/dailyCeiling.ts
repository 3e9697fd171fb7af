import { creditsOf, nothing } from '../../contract/hundredths.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { ApiKey } from '../../entities/ApiKey.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { nextUtcDay, utcDay } from '../utcDay.ts'

/** What counts towards a key's daily ceiling: what it was charged today, and what its running work holds. */
export type DailyUse = { dailyLimit: Hundredths | null; spentToday: Hundredths; heldOpen: Hundredths }

/**
 * Tells that one more hold of `price` would pass the key's daily ceiling. The start itself is decided in the database, by the same sum
 * (`migrations/functions/start_generations.sql`). Spec: Authentication, rule 6. Contract: section 4, details.
 */
export function aboveDailyCeiling({ dailyLimit, spentToday, heldOpen }: DailyUse, price: Hundredths, now: Date): Refusal | undefined {
  if (dailyLimit === null || heldOpen + spentToday + price <= dailyLimit) return undefined
  const details = {
    limitKind: 'daily' as const,
    limitCredits: creditsOf(dailyLimit),
    credits: creditsOf(price),
    spentCredits: creditsOf(spentToday),
    heldCredits: creditsOf(heldOpen),
    resetsAt: nextUtcDay(now).toISOString(),
  }
  return new Refusal('spend_limit_exceeded', details, { retryable: true })
}

/** What a key was charged in the day of `now`: its counter belongs to the last day on which it was charged. Spec: Authentication, rule 6. */
export function spentToday(key: Pick<ApiKey, 'chargedDay' | 'chargedOnDay'>, now: Date): Hundredths {
  return key.chargedDay === utcDay(now) ? key.chargedOnDay : nothing
}
