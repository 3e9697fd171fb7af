import { familyNotFound } from '../../../contract/refusals/familyNotFound.ts'
import { type Context, transaction } from '../../context.ts'
import { type AuditChange, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { requireTeam } from '../teams/teams.ts'
import { teamFamiliesNotice } from './teamFamilyCache.ts'

const disable = statement<{ familyId: string }>(
  'disable_family',
  `insert into team_families (team_id, family_id, disabled, disabled_by, disabled_at)
   values ($1, $2, $3, case when $3 then $4 end, case when $3 then present() end)
     on conflict (team_id, family_id) do update
       set disabled = excluded.disabled, disabled_by = excluded.disabled_by, disabled_at = excluded.disabled_at
     where team_families.disabled <> excluded.disabled returning family_id`,
)
const grant = statement<{ familyId: string }>(
  'grant_family',
  `insert into team_families (team_id, family_id, granted) values ($1, $2, $3)
     on conflict (team_id, family_id) do update set granted = excluded.granted
     where team_families.granted <> excluded.granted returning family_id`,
)
const notify = statement<never>(
  'notify_team_families',
  `select pg_notify('${teamFamiliesNotice.channel}', '${teamFamiliesNotice.subject}')`,
)

/**
 * Switches a family off or on for one team, in every process (lock reason `disabled_by_team`). Other lock reasons stay. The row stores the
 * person who switched it off first, until it is switched on. Refusals: family_not_found, invalid_request at `teamId`.
 * Contract: docs/contract.md#families-of-a-team.
 */
export async function setTeamFamilyAvailability(
  context: Context,
  { familyId, teamId, available }: { familyId: string; teamId: string; available: boolean },
): Promise<void> {
  const by = context.actor.kind === 'person' ? context.actor.userId : null
  const act: AuditChange = { action: 'family.switched', teamId, subjectId: familyId, after: { available } }
  await updateTeamFamily(context, act, { change: disable, values: [teamId, familyId, !available, by] })
}

/**
 * Grants a team the use of a restricted family, or revokes it, in every process. Other teams get `access_denied`.
 * Refusals: family_not_found, invalid_request at `teamId`. Contract: docs/contract.md#families-of-a-team.
 */
export async function setFamilyAccess(
  context: Context,
  { familyId, teamId, granted }: { familyId: string; teamId: string; granted: boolean },
): Promise<void> {
  const act: AuditChange = { action: 'family.access_set', teamId, subjectId: familyId, after: { granted } }
  await updateTeamFamily(context, act, { change: grant, values: [teamId, familyId, granted] })
}

async function updateTeamFamily(
  context: Context,
  act: AuditChange,
  { change, values }: { change: typeof disable; values: [teamId: string, familyId: string, ...rest: unknown[]] },
): Promise<void> {
  const [teamId, familyId] = values
  if (!context.catalog.families.has(familyId)) throw familyNotFound(familyId, context.catalog.families.keys())
  await requireTeam(context, teamId, 'teamId')
  await transaction(context, async (inside) => {
    if (!(await inside.sql.one(change, values))) return
    await recordAudit(inside, act)
    await inside.sql.one(notify, [])
  })
  context.teamFamilies.invalidate()
}

export type SwitchedOff = {
  familyId: string
  /** `null` for an internal tool, and for rows older than this column. */
  byName: string | null
  since: Date | null
}

const read = statement<SwitchedOff & { teamId: string }>(
  'switched_off_families',
  `select team_id, family_id, users.name as by_name, disabled_at as since
     from team_families left join users on users.id = disabled_by
    where team_id = any($1) and disabled order by team_id, family_id`,
)

/** Lists the families that each team has switched off, ordered by identifier, including families that left the catalog. */
export async function switchedOffFamilies({ sql }: Context, teamIds: readonly string[]): Promise<SwitchedOff[][]> {
  const rows = Map.groupBy(await sql.all(read, [teamIds]), ({ teamId }) => teamId)
  return teamIds.map((teamId) => rows.get(teamId) ?? [])
}
