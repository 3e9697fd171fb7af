import { ApiKey } from '../../../entities/ApiKey.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { nearShare, soonDays } from './keyHints.ts'

/** The maximum number of keys that {@link findKeysAtRisk} returns. */
export const keysAtRiskMax = 50

const nearPercent = nearShare * 100

const find = statement<{ id: string }>(
  'keys_at_risk',
  `select k.id from api_keys k join key_standing() s on s.key_id = k.id
     where k.team_id = $1 and s.is_live
       and (not s.issuer_may_act or not s.holder_may_act or k.expires_at < present() + interval '${soonDays} days'
         or (k.daily_limit > 0 and (s.spent + s.held) * 100 >= k.daily_limit * ${nearPercent})
         or (k.monthly_limit > 0
           and (spent_this_month(k.charged_month, k.charged_in_month) + s.held) * 100 >= k.monthly_limit * ${nearPercent}))
     order by k.id desc limit ${keysAtRiskMax}`,
)

/**
 * Returns the live keys of a team that are refused or will be soon, newest first: keys with a hint other than `never_used` and `idle`.
 * Reads all keys of the team.
 */
export async function findKeysAtRisk(context: Context, teamId: string): Promise<ApiKey[]> {
  const ids = (await context.sql.all(find, [teamId])).map(({ id }) => id)
  if (ids.length === 0) return []
  return await context.em().find(ApiKey, { id: { $in: ids } }, { orderBy: { id: 'desc' }, refresh: true })
}
