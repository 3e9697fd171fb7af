import { nothing } from '../../contract/hundredths.ts'
import type { GenerationSource } from '../../entities/Generation.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import type { DailySpend } from './dailyCeiling.ts'

/** Who pays for a start, as far as ceilings depend on it. */
export type Paying = { accountId: string; keyId: string | null; userId?: string | null; source?: GenerationSource }

const read = statement<DailySpend>(
  'read_person_spending',
  `select t.run_daily_limit as daily_limit, coalesce(spent_today(p.charged_day, p.charged_on_day), 0) as spent_today,
       coalesce(p.held_open, 0) as held_open, person_daily_left(a.id, $2) as daily_left
     from credit_accounts a join teams t on t.id = a.team_id left join person_spending p on p.account_id = a.id and p.user_id = $2
     where a.id = $1`,
)

/**
 * Reads what a person holds and spent today for generations that they started in the admin UI, and the daily ceiling that the team sets for
 * each person. `undefined` for other spenders, who have other ceilings. Contract: docs/contract.md#runs-by-people.
 */
export async function readPersonSpending(context: Context, { accountId, userId, source }: Paying): Promise<DailySpend | undefined> {
  if (source !== 'editor' || typeof userId !== 'string') return undefined
  return (await context.sql.one(read, [accountId, userId])) ?? noSpending
}

const noSpending: DailySpend = { dailyLimit: null, spentToday: nothing, heldOpen: nothing, dailyLeft: null }
