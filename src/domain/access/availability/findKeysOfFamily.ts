import { openStates } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** A key and how many generations of the family it started. */
export type KeyOfFamily = { keyId: string; generations: number }

/** The keys of a team that may start a family. `inUse`: those that started it lately, the most used first, some of `inUseCount`. */
export type KeysOfFamily = { inUse: KeyOfFamily[]; inUseCount: number; otherCount: number }

/** The maximum number of keys that {@link findKeysOfFamily} returns. */
export const keysOfFamilyMax = 10
/** The days of use that count, today included. */
export const keysOfFamilyDays = 30
/** The keys whose use is read: the last used ones. Another key counts as not in use. */
const readMax = 1000

const openStateList = openStates.map((state) => `'${state}'`).join(', ')

/**
 * `able`: as in checkKeyAccess.ts, and no ceiling is below the lowest price. `runs` sums one row, so that PostgreSQL looks each key and day up
 * in the index; it would join all days of the team otherwise.
 */
const find = statement<{ able: number; inUse: number; keyId: string | null; generations: number | null }>(
  'keys_of_family',
  `with able as materialized (
     select k.id, k.user_id, k.last_used_at, 'generations:write' = any(k.scopes) as over_rest,
         'mcp' = any(k.scopes) and u.subscription_active as over_mcp
       from api_keys k join key_standing() s on s.key_id = k.id join users u on u.id = k.user_id
       where k.team_id = $1 and s.is_live and s.issuer_may_act
         and (s.holder_may_act or (s.previous_until > present() and s.previous_holder_may_act))
         and coalesce(least(k.single_limit, k.daily_limit, k.monthly_limit), $3) >= $3 and (u.subscription_active or not $4)
   ), recent as materialized (
     select * from able where (over_rest or over_mcp) and last_used_at >= present() - interval '${keysOfFamilyDays} days'
       order by last_used_at desc limit ${readMax}
   ), runs as (
     select recent.id, used.generations from recent
       cross join lateral (
         select id from credit_accounts where team_id = $1 and recent.over_rest
         union all select id from credit_accounts where user_id = recent.user_id and recent.over_mcp
       ) account
       cross join generate_series(0, ${keysOfFamilyDays} - 1) ago
       cross join lateral (
         select sum(ready + failed + cancelled) as generations from usage_days
           where account_id = account.id and owner_id = $1 and day = utc_day(present()) - ago and key_id = recent.id and family_id = $2
       ) used where used.generations is not null
     union all
     select key_id, 1 from generations where family_id = $2 and owner_id = $1 and state in (${openStateList})
   ), counted as (
     select id, sum(generations)::double precision as generations from runs join able using (id) where over_rest or over_mcp group by id
   )
   select (select count(*) from able where over_rest or over_mcp)::integer as able, (select count(*) from counted)::integer as in_use,
       named.id as key_id, named.generations
     from (values (1)) always left join (select * from counted order by generations desc, id limit ${keysOfFamilyMax}) named on true`,
)

type Wanted = { id: string; creditsFrom: number; requiresSubscription: boolean }

/**
 * Finds the live keys of a team that have the scope, role and ceilings to start a family, and counts what they started of it in the last 30
 * days: ended generations, by the day on which they ended, and open ones. Reads all keys of the team.
 */
export async function findKeysOfFamily({ sql }: Pick<Context, 'sql'>, teamId: string, family: Wanted): Promise<KeysOfFamily> {
  const rows = await sql.all(find, [teamId, family.id, family.creditsFrom, family.requiresSubscription])
  const { able = 0, inUse = 0 } = rows[0] ?? {}
  const named = rows.flatMap(({ keyId, generations }) => (keyId === null ? [] : [{ keyId, generations: generations ?? 0 }]))
  return { inUse: named, inUseCount: inUse, otherCount: able - inUse }
}
