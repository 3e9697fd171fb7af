import { creditsOf, nothing } from '../../contract/hundredths.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { batchLoader } from '../batchLoader.ts'
import type { Context } from '../context.ts'
import { nextUtcDay } from '../nextUtcDay.ts'
import { statement } from '../sql.ts'

/** The amounts that count towards a key's daily ceiling: charges of today and open holds. */
export type DailySpend = { dailyLimit: Hundredths | null; spentToday: Hundredths; heldOpen: Hundredths }

/**
 * Returns a refusal when one more hold of `price` would exceed the key's daily ceiling. The start itself is decided in the database, with
 * the same sum (`migrations/functions/start_generations.sql`). Contract: docs/contract.md#ceilings.
 */
export function dailyCeilingRefusal({ dailyLimit, spentToday, heldOpen }: DailySpend, price: Hundredths, now: Date): Refusal | undefined {
  if (dailyLimit === null || heldOpen + spentToday + price <= dailyLimit) return undefined
  const details = {
    limitKind: 'daily' as const,
    limitCredits: creditsOf(dailyLimit),
    credits: creditsOf(price),
    spentCredits: creditsOf(spentToday),
    heldCredits: creditsOf(heldOpen),
    resetsAt: nextUtcDay(now).toISOString(),
  }
  const { limitCredits, credits, spentCredits, heldCredits } = details
  // A price above the ceiling is refused on every day, so a retry is useless.
  const fitsADay = price <= dailyLimit
  const message = fitsADay
    ? `The key's ceiling for a day is ${limitCredits} credits: ${spentCredits} were spent today and ${heldCredits} are held, and this costs ${credits}.`
    : `The key's ceiling for a day is ${limitCredits} credits; this alone costs ${credits}.`
  return new Refusal('spend_limit_exceeded', details, { retryable: fitsADay, message })
}

const spentByKeys = statement<{ id: string; spent: Hundredths }>(
  'spent_today',
  'select id, spent_today(charged_day, charged_on_day) as spent from api_keys where id = any($1)',
)

const loadSpent = batchLoader<string, Hundredths>(async (sql, ids) => {
  const found = new Map((await sql.all(spentByKeys, [ids])).map(({ id, spent }) => [id, spent]))
  return ids.map((id) => found.get(id))
})

/**
 * Returns what a key was charged since midnight UTC, by the database's clock. Reads of several keys are batched.
 * Contract: docs/contract.md#ceilings.
 */
export async function spentTodayOf(context: Context, keyId: string): Promise<Hundredths> {
  return (await loadSpent(context, keyId)) ?? nothing
}
