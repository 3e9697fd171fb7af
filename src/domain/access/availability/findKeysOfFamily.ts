import { openStates } from '../../../entities/Generation.ts'
import type { Family } from '../../catalog/family.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** A key and how many generations of the family it started. */
export type KeyOfFamily = { keyId: string; generations: number }

/** The keys of a team that may start a family. `inUse`: the most used of the `inUseCount` keys that started it in the last 30 days. */
export type KeysOfFamily = { inUse: KeyOfFamily[]; inUseCount: number; otherCount: number }

/** The maximum number of keys that {@link findKeysOfFamily} returns. */
export const keysOfFamilyMax = 10
/** The days of use that count, today included. */
export const keysOfFamilyDays = 30
/** Ended generations are counted only for the keys that were used last, at most this many. */
const readMax = 1000

const openStateList = openStates.map((state) => `'${state}'`).join(', ')

/**
 * `able`: the checks of checkKeyAccess.ts that depend on the key, and no ceiling is below the lowest price. The sum over one row of
 * `usage_days` makes PostgreSQL look up each key and day by its index; a plain join would read all days of the team.
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

type StartableFamily = Pick<Family, 'id' | 'creditsFrom' | 'requiresSubscription'>

/**
 * Finds the live keys of a team whose scopes, roles and ceilings let them start a family. Counts the generations of it that they started in
 * the last 30 days: ended ones by the day of their end, and all open ones. Reads all keys of the team.
 */
export async function findKeysOfFamily({ sql }: Pick<Context, 'sql'>, teamId: string, family: StartableFamily): Promise<KeysOfFamily> {
  const rows = await sql.all(find, [teamId, family.id, family.creditsFrom, family.requiresSubscription])
  const { able = 0, inUse = 0 } = rows[0] ?? {}
  const named = rows.flatMap(({ keyId, generations }) => (keyId === null ? [] : [{ keyId, generations: generations ?? 0 }]))
  return { inUse: named, inUseCount: inUse, otherCount: able - inUse }
}
