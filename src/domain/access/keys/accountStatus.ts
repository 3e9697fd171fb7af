import { creditsOf, hundredths, nothing } from '../../../contract/hundredths.ts'
import type { PublicAccount } from '../../../contract/shapes/account.ts'
import type { Scope } from '../../../entities/ApiKey.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Context } from '../../context.ts'
import { fileQuotaOf } from '../../fileQuota.ts'
import { invariant } from '../../invariant.ts'
import { nextUtcDay, nextUtcMonth } from '../../nextUtcDay.ts'
import { statement } from '../../sql.ts'
import type { KeyActor } from '../actor.ts'
import { spenderOf } from '../spender.ts'
import { teamStateOf } from '../teams/teams.ts'
import { previousValueEndsAt } from './keyState.ts'

type Row = {
  available: Hundredths
  teamId: string | null
  teamName: string
  planExpiresAt: Date | null
  blocked: boolean
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
  monthlyLimit: Hundredths | null
  spentThisMonth: Hundredths
  monthlyLeft: Hundredths | null
  teamLimit: Hundredths | null
  teamSpent: Hundredths | null
  teamHeld: Hundredths | null
  teamLeft: Hundredths | null
  unusedFiles: number
  unusedBytes: number
}

const readStatus = statement<Row>(
  'account_status',
  `select coalesce(a.balance - a.held, 0) as available, t.id as team_id, t.name as team_name, t.plan_expires_at, t.blocked,
       k.name as key_name, k.prefix, k.scopes, k.expires_at, k.revoked_at,
       case when s.previous_holder_may_act then k.previous_until end as previous_until, s.daily_limit, s.single_limit, s.held as held_open,
       s.spent as spent_today, s.daily_left,
       k.monthly_limit, spent_this_month(k.charged_month, k.charged_in_month) as spent_this_month,
       monthly_left(k.monthly_limit, k.held_open, k.charged_month, k.charged_in_month) as monthly_left,
       b.monthly_limit as team_limit, b.held as team_held, spent_this_month(b.charged_month, b.charged_in_month) as team_spent,
       monthly_left(b.monthly_limit, b.held, b.charged_month, b.charged_in_month) as team_left,
       coalesce(u.files, 0) as unused_files, coalesce(u.bytes, 0) as unused_bytes
     from api_keys k join key_standing() s on s.key_id = k.id left join teams t on t.id = k.team_id left join credit_accounts a on a.id = $2
       left join credit_accounts b on b.team_id = k.team_id left join unused_files u on u.owner_id = $3 where k.id = $1`,
)

/**
 * Reads what the presented key may spend now: available credits, state of its team, quota of files, ceilings, permissions and ends.
 * Credits are JSON numbers. The balance is not included, because it does not subtract the credits that running work holds.
 * Contract: docs/contract.md#get-the-account.
 */
export async function accountStatus(context: Context, actor: KeyActor): Promise<PublicAccount> {
  const now = context.clock.now()
  const { accountId, ownerId } = spenderOf(actor)
  const row = await context.sql.one(readStatus, [actor.keyId, accountId, ownerId])
  invariant(row, 'an authenticated key exists')
  return {
    creditsAvailable: creditsOf(row.available),
    team: row.teamId === null ? null : teamStatus(row, row.teamId, now),
    files: fileQuotaOf(context, { files: row.unusedFiles, bytes: row.unusedBytes }),
    key: {
      id: actor.keyId,
      name: row.keyName,
      prefix: row.prefix,
      permissions: row.scopes,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      previousValueEndsAt: previousValueEndsAt(row, now)?.toISOString() ?? null,
      limits: {
        daily: dailyLimit(row, now),
        monthly: monthlyLimit({ limit: row.monthlyLimit, spent: row.spentThisMonth, held: row.heldOpen, left: row.monthlyLeft }, now),
        single: { limitCredits: row.singleLimit === null ? null : creditsOf(row.singleLimit) },
      },
    },
  }
}

function teamStatus(row: Row, id: string, now: Date) {
  const { teamName: name, planExpiresAt, teamLimit: limit, teamLeft: left } = row
  const month = { limit, spent: row.teamSpent ?? nothing, held: row.teamHeld ?? nothing, left }
  return {
    id,
    name,
    state: teamStateOf(row, now),
    expiresAt: planExpiresAt?.toISOString() ?? null,
    limits: { monthly: monthlyLimit(month, now) },
  }
}

type Ceiling = { limit: Hundredths | null; spent: Hundredths; held: Hundredths; left: Hundredths | null }

function dailyLimit({ dailyLimit: limit, spentToday: spent, heldOpen: held, dailyLeft: left }: Row, now: Date) {
  return { ...creditsOfCeiling({ limit, spent, held, left }), resetsAt: nextUtcDay(now).toISOString() }
}

function monthlyLimit(ceiling: Ceiling, now: Date) {
  return { ...creditsOfCeiling(ceiling), resetsAt: nextUtcMonth(now).toISOString() }
}

function creditsOfCeiling({ limit, spent, held, left }: Ceiling) {
  return {
    limitCredits: limit === null ? null : creditsOf(limit),
    spentCredits: creditsOf(spent),
    heldCredits: creditsOf(held),
    remainingCredits: left === null ? null : creditsOf(hundredths(Math.max(0, left))),
  }
}
