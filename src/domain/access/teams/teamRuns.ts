import { creditsOf } from '../../../contract/hundredths.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import { Team } from '../../../entities/Team.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { parseCredits } from '../../parseCredits.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { roleMay } from '../permissions.ts'
import { requireTeamRole } from './rolesOf.ts'
import { lockTeam, requireTeam } from './teams.ts'

export type TeamRunsChange = {
  teamId: string
  membersMayRun?: boolean | null | undefined
  /** In credits; `null`: no ceiling. */
  dailyLimitCredits?: number | null | undefined
}

/**
 * Sets whether members of a team may start generations in the admin UI, and what each person may spend there on a day in UTC. A ceiling
 * below what was spent stops only new starts. Refusals: invalid_request at `teamId` or `dailyLimitCredits`; access_denied for a person
 * whose role does not permit it. Locks: the team. Contract: docs/contract.md#runs-by-people.
 */
export async function setTeamRuns(context: Context, { teamId, membersMayRun, dailyLimitCredits }: TeamRunsChange): Promise<Team> {
  await requireTeam(context, teamId, 'teamId')
  const changes = omitUndefined({
    membersMayRun: membersMayRun ?? undefined,
    runDailyLimit: typeof dailyLimitCredits === 'number' ? parseCredits(dailyLimitCredits, 'dailyLimitCredits') : dailyLimitCredits,
  })
  await transaction(context, async (inside) => {
    await lockTeam(inside, teamId)
    const before = await requireTeam(inside, teamId, 'teamId')
    const message = 'Only owners and administrators may set who runs models in the team.'
    await requireTeamRole(inside, 'team.setRuns', { teamId, message })
    const changed = changesBetween(shown(before), shown(changes))
    if (!changed) return
    await inside.em().nativeUpdate(Team, { id: teamId }, changes)
    await recordAudit(inside, { action: 'team.runs_set', teamId, subjectId: teamId, ...changed })
  })
  return await requireTeam(context, teamId, 'teamId')
}

function shown({ membersMayRun, runDailyLimit }: Partial<Pick<Team, 'membersMayRun' | 'runDailyLimit'>>) {
  return omitUndefined({ membersMayRun, dailyLimitCredits: typeof runDailyLimit === 'number' ? creditsOf(runDailyLimit) : runDailyLimit })
}

/** Why a person may not start generations in the admin UI. */
export const runBlockers = ['not_a_member', 'members_not_allowed', 'team_blocked', 'access_closed', 'plan_ended'] as const
export type RunBlocker = (typeof runBlockers)[number]

const readRunner = statement<{ role: Role | null; membersMayRun: boolean; blocked: boolean; externalAccess: boolean; isOver: boolean }>(
  'read_runner',
  `select m.role, t.members_may_run, t.blocked, t.external_access, coalesce(t.plan_expires_at <= present(), false) as is_over
     from teams t left join memberships m on m.team_id = t.id and m.user_id = $2 where t.id = $1 and t.deleted_at is null`,
)

/** Why the person may not start generations for the team now; null when they may. Contract: docs/contract.md#runs-by-people. */
export async function runBlockerOf(context: Context, { teamId, userId }: { teamId: string; userId: string }): Promise<RunBlocker | null> {
  const found = await context.sql.one(readRunner, [teamId, userId])
  if (!found?.role) return 'not_a_member'
  if (found.blocked) return 'team_blocked'
  // The links to results do not work either.
  if (!found.externalAccess) return 'access_closed'
  if (found.isOver) return 'plan_ended'
  return roleMay(found.role, 'team.setRuns') || found.membersMayRun ? null : 'members_not_allowed'
}

/**
 * Refuses a person who may not start generations, or upload their inputs, for the team; other callers pass.
 * Refusals: access_denied, account_blocked, team_expired. Contract: docs/contract.md#runs-by-people.
 */
export async function requireMayRun(context: Context, teamId: string): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'person') return
  const blocker = await runBlockerOf(context, { teamId, userId: actor.userId })
  if (blocker === null) return
  if (blocker === 'team_blocked') throw new Refusal('account_blocked')
  if (blocker === 'access_closed') throw new Refusal('access_denied', { cause: 'external_access_off' })
  if (blocker === 'plan_ended') throw new Refusal('team_expired')
  throw new Refusal('access_denied', { cause: 'role' }, { message: notAllowedMessage })
}

const notAllowedMessage = 'In this team only owners and administrators run models. One of them can allow it to members, in Settings.'
