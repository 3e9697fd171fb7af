import { creditsOf, nothing } from '../../contract/hundredths.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { type DailySpend, dailyCeilingRefusal } from './dailyCeiling.ts'

/** The credits of an account and the ceilings of a key, from one snapshot, in hundredths. */
export type Spending = {
  available: Hundredths
  held: Hundredths
  key: (DailySpend & { singleLimit: Hundredths | null }) | undefined
}

type Row = {
  available: Hundredths
  held: Hundredths
  keyId: string | null
  dailyLimit: Hundredths | null
  singleLimit: Hundredths | null
  heldOpen: Hundredths
  spentToday: Hundredths
  dailyLeft: Hundredths | null
}

const readRow = statement<Row>(
  'read_spending',
  `select a.balance - a.held as available, a.held, k.key_id, k.daily_limit, k.single_limit, coalesce(k.held, 0) as held_open,
       coalesce(k.spent, 0) as spent_today, k.daily_left
     from credit_accounts a left join key_standing() k on k.key_id = $2 where a.id = $1`,
)

/** Reads the credits of an account and the ceilings of a key. A missing account counts as empty. */
export async function readSpending(context: Context, spender: { accountId: string; keyId: string | null }): Promise<Spending> {
  const row = await context.sql.one(readRow, [spender.accountId, spender.keyId])
  if (!row) return { available: nothing, held: nothing, key: undefined }
  const { available, held, keyId, dailyLimit, singleLimit, heldOpen, spentToday, dailyLeft } = row
  return { available, held, key: keyId === null ? undefined : { dailyLimit, singleLimit, heldOpen, spentToday, dailyLeft } }
}

/** Checks the price against the request's `maxCredits` (in credits). Refusals: cost_above_limit. */
export function maxCreditsRefusal(price: Hundredths, maxCredits: number | undefined): Refusal | undefined {
  if (maxCredits === undefined || creditsOf(price) <= maxCredits) return undefined
  return new Refusal('cost_above_limit', { credits: creditsOf(price), maxCredits })
}

/**
 * Returns every refusal that a hold of `price` would get now, in the order of the checks of a start: single ceiling, daily ceiling,
 * credits. Contract: docs/contract.md#order-of-checks, docs/contract.md#ceilings.
 */
export function blockersOf(spending: Spending, price: Hundredths, now: Date): Refusal[] {
  const found: Refusal[] = []
  const { key } = spending
  const credits = creditsOf(price)
  if (key && key.singleLimit !== null && price > key.singleLimit) {
    const limitCredits = creditsOf(key.singleLimit)
    const message = `The key's ceiling for one generation is ${limitCredits} credits; this one costs ${credits}.`
    found.push(new Refusal('spend_limit_exceeded', { limitKind: 'single', limitCredits, credits }, { message }))
  }
  const aboveDaily = key && dailyCeilingRefusal(key, price, now)
  if (aboveDaily) found.push(aboveDaily)
  if (price > spending.available) {
    const details = { credits, creditsAvailable: creditsOf(spending.available), creditsHeld: creditsOf(spending.held) }
    found.push(new Refusal('insufficient_credits', details, { retryable: price <= spending.available + spending.held }))
  }
  return found
}
