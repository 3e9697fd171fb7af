import { limits } from '../../../contract/limits.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import { type Context, transaction } from '../../context.ts'
import { parseText } from '../../parseText.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { requireTeamRole } from './rolesOf.ts'
import { lockTeam, requireTeam } from './teams.ts'

/** A group of the identity provider, and the role in the team that it gives. */
export type TeamGroup = { group: string; role: Role; createdAt: Date }

const list = statement<TeamGroup>(
  'groups_of_team',
  `select name as "group", role, created_at from team_groups where team_id = $1 order by name limit ${limits.groupsPerTeam}`,
)

/** Lists the groups that give a role in the team, by name. */
export function listTeamGroups({ sql }: Pick<Context, 'sql'>, teamId: string): Promise<TeamGroup[]> {
  return sql.all(list, [teamId])
}

const read = statement<{ role: Role | null; count: number }>(
  'read_team_group',
  `select (select role from team_groups where team_id = $1 and name = $2) as role, count(*)::integer as count
     from team_groups where team_id = $1`,
)
const put = statement<never>(
  'put_team_group',
  `insert into team_groups (team_id, name, role, created_at) values ($1, $2, $3, present())
     on conflict (team_id, name) do update set role = excluded.role`,
)
const remove = statement<never>('remove_team_group', 'delete from team_groups where team_id = $1 and name = $2')

/**
 * Sets the role that a group of the identity provider gives in a team; null removes the group. A membership changes when the person signs in
 * next. Refusals: invalid_request at `teamId`, and at `group` for an invalid name or above the limit of groups;
 * access_denied for a person who is not an owner. Locks: the team. Contract: docs/contract.md#roles-from-groups.
 */
export async function setTeamGroup(
  context: Context,
  { teamId, group: given, role }: { teamId: string; group: string; role?: Role | null | undefined },
): Promise<string> {
  await requireTeam(context, teamId, 'teamId')
  const group = parseText(given, { field: 'group', charactersMax: limits.groupCharacters })
  await transaction(context, async (inside) => {
    await lockTeam(inside, teamId)
    await requireTeam(inside, teamId, 'teamId')
    await requireTeamRole(inside, 'team.setGroups', { teamId, message: 'Only an owner may set which groups give a role in the team.' })
    const before = await inside.sql.one(read, [teamId, group])
    const held = before?.role ?? null
    const to = role ?? null
    if (held === to) return
    if (held === null && (before?.count ?? 0) >= limits.groupsPerTeam) throw tooMany()
    await (to === null ? inside.sql.all(remove, [teamId, group]) : inside.sql.all(put, [teamId, group, to]))
    await recordAudit(inside, { action: 'team.group_set', teamId, subjectId: teamId, before: { group, role: held }, after: { role: to } })
  })
  return teamId
}

function tooMany() {
  const message = `A team takes at most ${limits.groupsPerTeam} groups. Remove one first.`
  return invalidRequest({ in: 'body', path: ['group'], code: 'not_allowed', message })
}
