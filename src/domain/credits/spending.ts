import { creditsOf, nothing } from '../../contract/hundredths.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { type DailySpend, dailyCeilingRefusal } from './dailyCeiling.ts'
import { type MonthlySpend, monthlyCeilingRefusal } from './monthlyCeiling.ts'
import { type Paying, readPersonSpending } from './personSpending.ts'

/** The credits and the monthly budget of an account, and the ceilings of a key or a person, from one snapshot, in hundredths. */
export type Spending = {
  available: Hundredths
  held: Hundredths
  /** The monthly budget of the account; only accounts of teams have one. */
  team: MonthlySpend
  key: (DailySpend & { singleLimit: Hundredths | null; month: MonthlySpend }) | undefined
  /** The daily ceiling of a person who starts generations in the admin UI. */
  person: DailySpend | undefined
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
  monthlyLimit: Hundredths | null
  spentThisMonth: Hundredths
  monthlyLeft: Hundredths | null
  teamLimit: Hundredths | null
  teamSpent: Hundredths
  teamLeft: Hundredths | null
}

const readRow = statement<Row>(
  'read_spending',
  `select a.balance - a.held as available, a.held, k.key_id, k.daily_limit, k.single_limit, coalesce(k.held, 0) as held_open,
       coalesce(k.spent, 0) as spent_today, k.daily_left, m.monthly_limit,
       coalesce(spent_this_month(m.charged_month, m.charged_in_month), 0) as spent_this_month,
       monthly_left(m.monthly_limit, m.held_open, m.charged_month, m.charged_in_month) as monthly_left,
       a.monthly_limit as team_limit, spent_this_month(a.charged_month, a.charged_in_month) as team_spent,
       monthly_left(a.monthly_limit, a.held, a.charged_month, a.charged_in_month) as team_left
     from credit_accounts a left join key_standing() k on k.key_id = $2 left join api_keys m on m.id = $2 where a.id = $1`,
)

const noBudget: MonthlySpend = { monthlyLimit: null, spentThisMonth: nothing, held: nothing, monthlyLeft: null }

/** Reads the credits of an account and the ceilings of its spender. A missing account counts as empty. */
export async function readSpending(context: Context, spender: Paying): Promise<Spending> {
  const row = await context.sql.one(readRow, [spender.accountId, spender.keyId])
  if (!row) return { available: nothing, held: nothing, team: noBudget, key: undefined, person: undefined }
  const { available, held, keyId, dailyLimit, singleLimit, heldOpen, spentToday, dailyLeft, monthlyLimit, spentThisMonth, monthlyLeft } =
    row
  const month = { monthlyLimit, spentThisMonth, held: heldOpen, monthlyLeft }
  const team = { monthlyLimit: row.teamLimit, spentThisMonth: row.teamSpent, held, monthlyLeft: row.teamLeft }
  const key = keyId === null ? undefined : { dailyLimit, singleLimit, heldOpen, spentToday, dailyLeft, month }
  return { available, held, team, key, person: await readPersonSpending(context, spender) }
}

/** Checks the price against the request's `maxCredits` (in credits). Refusals: cost_above_limit. */
export function maxCreditsRefusal(price: Hundredths, maxCredits: number | undefined): Refusal | undefined {
  if (maxCredits === undefined || creditsOf(price) <= maxCredits) return undefined
  return new Refusal('cost_above_limit', { credits: creditsOf(price), maxCredits })
}

/**
 * Returns every refusal that a hold of `price` would get now, in the order of the checks of a start: single ceiling, daily ceiling,
 * monthly ceiling, monthly budget of the team, credits. Contract: docs/contract.md#order-of-checks, docs/contract.md#ceilings.
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
  const aboveDaily = [
    key && dailyCeilingRefusal('key', key, { price, now }),
    spending.person && dailyCeilingRefusal('person', spending.person, { price, now }),
  ]
  found.push(...aboveDaily.filter((refusal) => refusal !== undefined))
  const aboveMonthly = [
    key && monthlyCeilingRefusal('key', key.month, { price, now }),
    monthlyCeilingRefusal('team', spending.team, { price, now }),
  ]
  found.push(...aboveMonthly.filter((refusal) => refusal !== undefined))
  if (price > spending.available) {
    const details = { credits, creditsAvailable: creditsOf(spending.available), creditsHeld: creditsOf(spending.held) }
    found.push(new Refusal('insufficient_credits', details, { retryable: price <= spending.available + spending.held }))
  }
  return found
}
