import { creditsOf, nothing } from '../../contract/hundredths.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { rowLoader } from '../batchLoader.ts'
import type { Context } from '../context.ts'
import { nextUtcMonth } from '../nextUtcDay.ts'
import { statement } from '../sql.ts'

/**
 * The monthly ceiling of a key, or the monthly budget of a team, and the amounts that count towards it: charges of this month and open
 * holds. The SQL function `monthly_left` computes `monthlyLeft`, the ceiling minus both amounts. It is null without a ceiling, and negative
 * when the ceiling is lower than their sum.
 */
export type MonthlySpend = {
  monthlyLimit: Hundredths | null
  spentThisMonth: Hundredths
  held: Hundredths
  monthlyLeft: Hundredths | null
}

/**
 * Returns a refusal when one more hold of `price` would exceed a monthly ceiling: for an estimate, or with the numbers of a start that the
 * database refused. The database decides about a start, with the SQL function that computes `monthlyLeft`.
 * Contract: docs/contract.md#ceilings.
 */
export function monthlyCeilingRefusal(
  limitOwner: 'key' | 'team',
  { monthlyLimit, monthlyLeft, spentThisMonth, held }: MonthlySpend,
  { price, now }: { price: Hundredths; now: Date },
): Refusal | undefined {
  if (monthlyLimit === null || monthlyLeft === null || price <= monthlyLeft) return undefined
  const details = {
    limitKind: 'monthly' as const,
    limitOwner,
    limitCredits: creditsOf(monthlyLimit),
    credits: creditsOf(price),
    spentCredits: creditsOf(spentThisMonth),
    heldCredits: creditsOf(held),
    resetsAt: nextUtcMonth(now).toISOString(),
  }
  const { limitCredits, credits, spentCredits, heldCredits } = details
  // A price above the ceiling is refused in every month, so a retry is useless.
  const fitsAMonth = price <= monthlyLimit
  const ceiling = limitOwner === 'key' ? "The key's ceiling for a month" : "The team's budget for a month"
  const message = fitsAMonth
    ? `${ceiling} is ${limitCredits} credits: ${spentCredits} were spent this month and ${heldCredits} are held, and this costs ${credits}.`
    : `${ceiling} is ${limitCredits} credits; this alone costs ${credits}.`
  return new Refusal('spend_limit_exceeded', details, { retryable: fitsAMonth, message })
}

type SpendThisMonth = Pick<MonthlySpend, 'monthlyLimit' | 'spentThisMonth' | 'monthlyLeft'>

const columns = (held: string) =>
  `id, monthly_limit, spent_this_month(charged_month, charged_in_month) as spent_this_month,
   monthly_left(monthly_limit, ${held}, charged_month, charged_in_month) as monthly_left`
const ofKeys = statement<SpendThisMonth & { id: string }>(
  'spend_this_month_of_keys',
  `select ${columns('held_open')} from api_keys where id = any($1)`,
)
const ofAccounts = statement<SpendThisMonth & { id: string }>(
  'spend_this_month_of_accounts',
  `select ${columns('held')} from credit_accounts where id = any($1)`,
)

const loadSpendOfKey = rowLoader(ofKeys)
const loadSpendOfAccount = rowLoader(ofAccounts)

const none: SpendThisMonth = { monthlyLimit: null, spentThisMonth: nothing, monthlyLeft: null }

/**
 * Returns the monthly ceiling of a key or an account, what it was charged since the month began in UTC, and what the ceiling leaves, by
 * the database's clock. Reads of several are batched. Contract: docs/contract.md#ceilings.
 */
export async function spendThisMonthOf(context: Context, of: { keyId: string } | { accountId: string }): Promise<SpendThisMonth> {
  return (await ('keyId' in of ? loadSpendOfKey(context, of.keyId) : loadSpendOfAccount(context, of.accountId))) ?? none
}
