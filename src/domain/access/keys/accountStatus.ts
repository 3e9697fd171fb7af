import { creditsOf, hundredths } from '../../../contract/hundredths.ts'
import type { PublicAccount } from '../../../contract/shapes/account.ts'
import type { Scope } from '../../../entities/ApiKey.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Context } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { nextUtcDay } from '../../nextUtcDay.ts'
import { statement } from '../../sql.ts'
import type { KeyActor } from '../actor.ts'
import { spenderOf } from '../spender.ts'
import { previousValueEndsAt } from './keyState.ts'

type Row = {
  available: Hundredths
  teamId: string | null
  teamName: string
  planExpiresAt: Date | null
  blocked: boolean | null
  keyName: string
  prefix: string
  scopes: Scope[]
  expiresAt: Date | null
  revokedAt: Date | null
  previousUntil: Date | null
  dailyLimit: Hundredths | null
  singleLimit: Hundredths | null
  heldOpen: Hundredths
  spentToday: Hundredths
  dailyLeft: Hundredths | null
}

const readStatus = statement<Row>(
  'account_status',
  `select coalesce(a.balance - a.held, 0) as available, t.id as team_id, t.name as team_name, t.plan_expires_at, t.blocked,
       k.name as key_name, k.prefix, k.scopes, k.expires_at, k.revoked_at,
       case when s.previous_holder_may_act then k.previous_until end as previous_until, s.daily_limit, s.single_limit, s.held as held_open,
       s.spent as spent_today, s.daily_left
     from api_keys k join key_standing() s on s.key_id = k.id left join teams t on t.id = k.team_id left join credit_accounts a on a.id = $2 where k.id = $1`,
)

/**
 * Reads what the presented key may spend now: available credits, state of its team, ceilings, permissions and ends.
 * Credits are JSON numbers. The balance is not included, because it does not subtract the credits that running work holds.
 * Contract: docs/contract.md#get-the-account.
 */
export async function accountStatus(context: Context, actor: KeyActor): Promise<PublicAccount> {
  const now = context.clock.now()
  const row = await context.sql.one(readStatus, [actor.keyId, spenderOf(actor).accountId])
  invariant(row, 'an authenticated key exists')
  return {
    creditsAvailable: creditsOf(row.available),
    team:
      row.teamId === null
        ? null
        : { id: row.teamId, name: row.teamName, state: teamState(row, now), expiresAt: row.planExpiresAt?.toISOString() ?? null },
    key: {
      id: actor.keyId,
      name: row.keyName,
      prefix: row.prefix,
      permissions: row.scopes,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      previousValueEndsAt: previousValueEndsAt(row, now)?.toISOString() ?? null,
      limits: { daily: dailyLimit(row, now), single: { limitCredits: row.singleLimit === null ? null : creditsOf(row.singleLimit) } },
    },
  }
}

function teamState(row: Row, now: Date): 'active' | 'expired' | 'blocked' {
  if (row.blocked) return 'blocked'
  return row.planExpiresAt !== null && row.planExpiresAt <= now ? 'expired' : 'active'
}

function dailyLimit(row: Row, now: Date) {
  return {
    limitCredits: row.dailyLimit === null ? null : creditsOf(row.dailyLimit),
    spentCredits: creditsOf(row.spentToday),
    heldCredits: creditsOf(row.heldOpen),
    remainingCredits: row.dailyLeft === null ? null : creditsOf(hundredths(Math.max(0, row.dailyLeft))),
    resetsAt: nextUtcDay(now).toISOString(),
  }
}
