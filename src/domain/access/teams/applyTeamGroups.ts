import { Membership, type Role } from '../../../entities/Membership.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { hasOtherOwner } from './authorizeMemberChange.ts'
import { endMembership, putMembership } from './membershipChanges.ts'

type PersonGroups = { userId: string; groups: readonly string[] }

/** `given`: the strongest role that the groups give. `group`: the group that gives it. Both are null when no group gives a role. */
type Difference = { teamId: string; held: Role | null; given: Role | null; group: string | null }

/** Removals come last, so that a person who moves between teams is never without a team, which would end their sessions. */
const differences = statement<Difference>(
  'differences_from_groups',
  `with strongest as (
     select distinct on (g.team_id) g.team_id, g.role, g.name from team_groups g join teams t on t.id = g.team_id and t.deleted_at is null
       where g.name = any ($2::text[])
       order by g.team_id, array_position(array['owner', 'admin', 'member'], g.role), g.name
   )
   select team_id, m.role as held, s.role as given, s.name as "group"
     from strongest s full join (select team_id, role, from_groups from memberships where user_id = $1) m using (team_id)
     where coalesce(m.from_groups, true) and s.role is distinct from m.role and ($3::text[] is null or team_id = any ($3))
     order by s.role is null, team_id`,
)
const lockTeams = statement<{ id: string }>(
  'lock_teams_of_groups',
  'select id from teams where id = any ($1) and deleted_at is null order by id for no key update',
)

/**
 * Locks the teams in which the groups of a person change the membership, and returns them. Most sign-ins change and lock none.
 * Call it before the person is locked, because every change of members locks the team first.
 */
export async function lockTeamsToChange({ sql }: Context, { userId, groups }: PersonGroups): Promise<string[]> {
  const found = await sql.all(differences, [userId, groups, null])
  if (found.length === 0) return []
  return (await sql.all(lockTeams, [found.map(({ teamId }) => teamId)])).map(({ id }) => id)
}

type AppliedGroups = PersonGroups & {
  /** The locked teams. */
  teamIds: readonly string[]
  /** The new session. A new membership begins at the same time, so that the session ends with the membership. */
  session: { id: string; createdAt: Date }
}

/**
 * Gives a person who signs in the memberships that their groups give: the strongest role in each team. Changes and ends only memberships
 * that groups gave, and keeps the last owner of a team. The audit log names the service as the actor, and the group.
 * Contract: docs/contract.md#roles-from-groups.
 */
export async function applyTeamGroups(context: Context, { userId, groups, teamIds, session }: AppliedGroups): Promise<void> {
  const inside: Context = { ...context, actor: { kind: 'system' } }
  for (const { teamId, held, given, group } of await inside.sql.all(differences, [userId, groups, teamIds])) {
    if (held === 'owner' && !(await hasOtherOwner(inside, { teamId, userId }))) {
      inside.log.warn({ teamId, userId }, 'the groups of the last owner of a team no longer give the role; the person stays an owner')
      continue
    }
    if (given !== null && group !== null) {
      await putMembership(inside, { teamId, userId, role: given, group, since: session.createdAt })
      continue
    }
    const ended = await inside.em().findOne(Membership, { teamId, userId }, { refresh: true })
    if (ended) await endMembership(inside, ended, { byTool: false, except: session.id })
  }
}
