import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { Team } from '../../../entities/Team.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { requireTeamRole } from './rolesOf.ts'
import { lockTeam, requireTeam } from './teams.ts'

/** Days after which the results, or the whole generations, of a team are deleted. Null: only the rule of the deployment applies. */
export type TeamRetention = { mediaDays: number | null; historyDays: number | null }

const none: TeamRetention = { mediaDays: null, historyDays: null }
const daysMax = 3650

const read = statement<TeamRetention & { teamId: string }>(
  'read_team_retention',
  'select team_id, media_days, history_days from team_retention where team_id = any($1)',
)
const write = statement<never>(
  'write_team_retention',
  `insert into team_retention (team_id, media_days, history_days) values ($1, $2, $3)
     on conflict (team_id) do update set media_days = excluded.media_days, history_days = excluded.history_days`,
)

/** Reads the settings of the teams, in their order. */
export async function teamRetentions({ sql }: Pick<Context, 'sql'>, teamIds: readonly string[]): Promise<TeamRetention[]> {
  const rows = new Map((await sql.all(read, [teamIds])).map(({ teamId, ...retention }) => [teamId, retention]))
  return teamIds.map((id) => rows.get(id) ?? none)
}

export type RetentionChange = { teamId: string; mediaDays?: number | null | undefined; historyDays?: number | null | undefined }

/**
 * Sets how long a team keeps the results of its generations, and the generations themselves: whole days from 1 to 3650 after their end;
 * null for the rule of the deployment; undefined for no change. Older data is deleted within minutes, permanently. After this returns, no
 * deletion follows the former rule. Refusals: invalid_request at `teamId`, `mediaDays` or `historyDays`, also for `mediaDays` above
 * `historyDays`; access_denied for a person whose role does not permit it.
 * Locks: the team, its rule. Contract: docs/contract.md#team-retention.
 */
export async function setTeamRetention(context: Context, { teamId, mediaDays, historyDays }: RetentionChange): Promise<Team> {
  await requireTeam(context, teamId, 'teamId')
  requireDays('mediaDays', mediaDays)
  requireDays('historyDays', historyDays)
  await transaction(context, async (inside) => {
    await lockTeam(inside, teamId)
    await requireTeam(inside, teamId, 'teamId')
    const message = 'Only owners and administrators may set the retention of the team.'
    await requireTeamRole(inside, 'team.setRetention', { teamId, message })
    const [before = none] = await teamRetentions(inside, [teamId])
    const changes = omitUndefined({ mediaDays, historyDays })
    const after = { ...before, ...changes }
    if (after.mediaDays !== null && after.historyDays !== null && after.mediaDays > after.historyDays) throw tooLong(after.historyDays)
    const changed = changesBetween(before, changes)
    if (!changed) return
    await inside.sql.all(write, [teamId, after.mediaDays, after.historyDays])
    await recordAudit(inside, { action: 'team.retention_set', teamId, subjectId: teamId, ...changed })
  })
  return await requireTeam(context, teamId, 'teamId')
}

function requireDays(field: 'mediaDays' | 'historyDays', days: number | null | undefined): void {
  if (days === null || days === undefined || (Number.isInteger(days) && days >= 1 && days <= daysMax)) return
  const code = days < 1 ? 'too_small' : 'too_big'
  throw invalidRequest({ in: 'body', path: [field], code, message: `Takes whole days from 1 to ${daysMax}.` })
}

function tooLong(historyDays: number) {
  const message = `Media are deleted with their generation at the latest. Takes at most ${historyDays}.`
  return invalidRequest({ in: 'body', path: ['mediaDays'], code: 'conflict', message })
}
