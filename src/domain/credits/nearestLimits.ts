import { hundredths } from '../../contract/hundredths.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { nextUtcDay, nextUtcMonth } from '../nextUtcDay.ts'
import { statement } from '../sql.ts'

export const limitKinds = [
  'team_blocked',
  'access_closed',
  'plan_ended',
  'credits',
  'team_monthly_ceiling',
  'daily_ceiling',
  'monthly_ceiling',
  'single_ceiling',
] as const

/**
 * One limit on starts. `left` is the highest price that a start may have under it, 0 when it refuses every start. `limit` and `spent` are
 * null where they do not apply; `keyId` is set for ceilings.
 */
export type NearestLimit = {
  kind: (typeof limitKinds)[number]
  keyId: string | null
  left: Hundredths
  limit: Hundredths | null
  spent: Hundredths | null
  held: Hundredths | null
  resetsAt: Date | null
}

type Ceiling = { keyId: string; limit: Hundredths; spent: Hundredths; held: Hundredths; left: Hundredths }

const readTeam = statement<{
  blocked: boolean
  externalAccess: boolean
  planExpiresAt: Date | null
  available: Hundredths
  held: Hundredths
  monthlyLimit: Hundredths | null
  spentThisMonth: Hundredths
  monthlyLeft: Hundredths
}>(
  'limits_of_team',
  `select t.blocked, t.external_access, t.plan_expires_at, a.balance - a.held as available, a.held,
       a.monthly_limit, spent_this_month(a.charged_month, a.charged_in_month) as spent_this_month,
       greatest(0, monthly_left(a.monthly_limit, a.held, a.charged_month, a.charged_in_month)) as monthly_left
     from teams t join credit_accounts a on a.team_id = t.id where t.id = $1`,
)

// `&&` would make PostgreSQL expect few keys, and compare each with all others.
/** Only usable keys that can start work: not revoked, not expired, and with an issuer and holder who may still act for the team. */
const workingKeys = `select s.key_id, s.daily_limit, s.single_limit, s.spent, s.held, greatest(0, s.daily_left) as daily_left,
    k.monthly_limit, spent_this_month(k.charged_month, k.charged_in_month) as spent_this_month,
    greatest(0, monthly_left(k.monthly_limit, k.held_open, k.charged_month, k.charged_in_month)) as monthly_left
  from key_standing() s join api_keys k on k.id = s.key_id where s.team_id = $1 and s.is_live and s.issuer_manages_team
    and (array_position(k.scopes, 'generations:write') is not null or array_position(k.scopes, 'mcp') is not null)
    and (s.holder_may_act or (s.previous_until > present() and s.previous_holder_may_act))`

const readDaily = statement<Ceiling>(
  'nearest_daily_ceilings',
  `select key_id, daily_limit as "limit", spent, held, daily_left as "left" from (${workingKeys}) k
     where daily_limit is not null order by daily_limit = 0, spent + held = 0, "left", key_id limit $2`,
)
const readMonthly = statement<Ceiling>(
  'nearest_monthly_ceilings',
  `select key_id, monthly_limit as "limit", spent_this_month as spent, held, monthly_left as "left" from (${workingKeys}) k
     where monthly_limit is not null order by monthly_limit = 0, spent_this_month + held = 0, "left", key_id limit $2`,
)
const readSingle = statement<Ceiling>(
  'nearest_single_ceilings',
  `select key_id, single_limit as "limit", spent, held, single_limit as "left" from (${workingKeys}) k
     where single_limit is not null order by single_limit = 0, single_limit, key_id limit $2`,
)

/**
 * Lists the limits on a team's starts, the nearest first: limits that close the team, in the order of the checks of a start; then, by the
 * amount left, its credits, its monthly budget, and the daily and monthly ceilings of keys that were used; then those of idle keys, and
 * single ceilings. A key's ceiling of 0 is a setting, not a limit that was reached, so it comes last. The credits and a budget are always
 * included; of each kind of ceiling only the `first` nearest. Amounts are hundredths.
 * Contract: docs/contract.md#grants-and-ledger, docs/contract.md#order-of-checks.
 */
export async function nearestLimits(context: Context, teamId: string, first: number): Promise<NearestLimit[]> {
  const now = context.clock.now()
  const team = await context.sql.one(readTeam, [teamId])
  if (!team) return []
  const daily = (await context.sql.all(readDaily, [teamId, first])).map((ceiling) => dailyLimit(ceiling, now))
  const monthly = (await context.sql.all(readMonthly, [teamId, first])).map((ceiling) => monthlyLimit(ceiling, now))
  const single = (await context.sql.all(readSingle, [teamId, first])).map(singleLimit)
  const credits = { ...noLimit, kind: 'credits' as const, left: team.available, held: team.held }
  const closed = accessLimits(team, now)
  const ceilings = [...daily, ...monthly]
  const used = ceilings.filter(isUsed)
  const runningOut = [credits, ...teamBudget(team, now), ...used].toSorted((one, other) => one.left - other.left)
  const rest = [...ceilings.filter((limit) => !isUsed(limit)), ...single]
    .toSorted((one, other) => Number(one.limit === 0) - Number(other.limit === 0))
    .slice(0, Math.max(0, first - used.length))
  return [...closed, ...runningOut, ...rest]
}

const noLimit = { keyId: null, left: hundredths(0), limit: null, spent: null, held: null, resetsAt: null }

function accessLimits(team: { blocked: boolean; externalAccess: boolean; planExpiresAt: Date | null }, now: Date): NearestLimit[] {
  const found: NearestLimit[] = []
  if (team.blocked) found.push({ ...noLimit, kind: 'team_blocked' })
  if (!team.externalAccess) found.push({ ...noLimit, kind: 'access_closed' })
  if (team.planExpiresAt !== null && team.planExpiresAt <= now) found.push({ ...noLimit, kind: 'plan_ended' })
  return found
}

function dailyLimit(ceiling: Ceiling, now: Date): NearestLimit {
  return { ...ceiling, kind: 'daily_ceiling', resetsAt: resetOf(ceiling, nextUtcDay(now)) }
}

function monthlyLimit(ceiling: Ceiling, now: Date): NearestLimit {
  return { ...ceiling, kind: 'monthly_ceiling', resetsAt: resetOf(ceiling, nextUtcMonth(now)) }
}

/** The reset of a ceiling of 0 changes nothing. */
function resetOf({ limit }: { limit: Hundredths }, at: Date): Date | null {
  return limit === 0 ? null : at
}

type Budget = { monthlyLimit: Hundredths | null; spentThisMonth: Hundredths; held: Hundredths; monthlyLeft: Hundredths }

function teamBudget({ monthlyLimit: limit, spentThisMonth: spent, held, monthlyLeft: left }: Budget, now: Date): NearestLimit[] {
  if (limit === null) return []
  return [{ kind: 'team_monthly_ceiling', keyId: null, left, limit, spent, held, resetsAt: resetOf({ limit }, nextUtcMonth(now)) }]
}

function singleLimit({ keyId, limit, left }: Ceiling): NearestLimit {
  return { ...noLimit, kind: 'single_ceiling', keyId, limit, left }
}

function isUsed({ limit, spent, held }: NearestLimit): boolean {
  return limit !== 0 && (spent ?? 0) + (held ?? 0) > 0
}
