import { creditsOf, nothing } from '../../contract/hundredths.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { rowLoader } from '../batchLoader.ts'
import type { Context } from '../context.ts'
import { nextUtcDay } from '../nextUtcDay.ts'
import { statement } from '../sql.ts'

/**
 * The daily ceiling of a key, or of a person who starts generations in the admin UI, and the amounts that count towards it: charges of
 * today and open holds. The SQL functions `daily_left` and `person_daily_left` compute `dailyLeft`, the ceiling minus both amounts. It is
 * null without a ceiling, and negative when the ceiling is lower than their sum.
 */
export type DailySpend = {
  dailyLimit: Hundredths | null
  spentToday: Hundredths
  heldOpen: Hundredths
  dailyLeft: Hundredths | null
}

/**
 * Returns a refusal when one more hold of `price` would exceed the daily ceiling: for an estimate, or with the numbers of a start that the
 * database refused. The database decides about a start, with the SQL function that computes `dailyLeft`.
 * Contract: docs/contract.md#ceilings.
 */
export function dailyCeilingRefusal(
  limitOwner: 'key' | 'person',
  { dailyLimit, dailyLeft, spentToday, heldOpen }: DailySpend,
  { price, now }: { price: Hundredths; now: Date },
): Refusal | undefined {
  if (dailyLimit === null || dailyLeft === null || price <= dailyLeft) return undefined
  const details = {
    limitKind: 'daily' as const,
    ...(limitOwner === 'person' ? { limitOwner } : {}),
    limitCredits: creditsOf(dailyLimit),
    credits: creditsOf(price),
    spentCredits: creditsOf(spentToday),
    heldCredits: creditsOf(heldOpen),
    resetsAt: nextUtcDay(now).toISOString(),
  }
  const { limitCredits, credits, spentCredits, heldCredits } = details
  // A price above the ceiling is refused on every day, so a retry is useless.
  const retryable = price <= dailyLimit
  const ceiling = limitOwner === 'key' ? "The key's ceiling for a day" : 'Your ceiling for a day in this team'
  const message = retryable
    ? `${ceiling} is ${limitCredits} credits: ${spentCredits} were spent today and ${heldCredits} are held, and this costs ${credits}.`
    : `${ceiling} is ${limitCredits} credits; this alone costs ${credits}.`
  return new Refusal('spend_limit_exceeded', details, { retryable, message })
}

type SpendToday = Pick<DailySpend, 'spentToday' | 'dailyLeft'>

const spendByKeys = statement<SpendToday & { id: string }>(
  'spend_today',
  'select key_id as id, spent as spent_today, daily_left from key_standing() where key_id = any($1)',
)

const loadSpend = rowLoader(spendByKeys)

/**
 * Returns the credits charged to a key since midnight in UTC by the database's clock, and the rest of its daily ceiling. Reads of several
 * keys are batched. Contract: docs/contract.md#ceilings.
 */
export async function spendTodayOf(context: Context, keyId: string): Promise<SpendToday> {
  return (await loadSpend(context, keyId)) ?? { spentToday: nothing, dailyLeft: null }
}
