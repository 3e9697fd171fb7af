import { Membership, type Role } from '../../../entities/Membership.ts'
import { type Context, transaction } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { isLimitedTool } from '../actor.ts'
import { requireUser } from '../people/users.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { authorizeMemberChange } from './authorizeMemberChange.ts'
import { requireTeam } from './teams.ts'

type Member = { teamId: string; userId: string }

/**
 * Adds a person to a team, or changes their role. An internal tool may leave a team without an owner; keys of the former owner then stop.
 * Refusals: invalid_request at `teamId` or `userId`; access_denied as {@link authorizeMemberChange}. Locks: the team.
 * Contract: docs/contract.md#teams-and-members.
 */
export async function setTeamMember(context: Context, { teamId, userId, role }: Member & { role: Role }): Promise<Membership> {
  await requireTeam(context, teamId, 'teamId')
  return await transaction(context, async (inside) => {
    await authorizeMemberChange(inside, { teamId, userId, to: role })
    await requireUser(inside, userId, 'userId')
    const before = await inside.em().findOne(Membership, { teamId, userId })
    if (!before) await recordAudit(inside, { action: 'member.added', teamId, subjectId: userId, after: { role } })
    else if (before.role !== role) {
      const changed = { before: { role: before.role }, after: { role } }
      await recordAudit(inside, { action: 'member.role_changed', teamId, subjectId: userId, ...changed })
    }
    const member = { teamId, userId, role, createdAt: context.clock.now() }
    return await inside.em().upsert(Membership, member, { onConflictAction: 'merge', onConflictMergeFields: ['role'] })
  })
}

const stillInTeams = statement<{ teamId: string }>('still_in_teams', 'select team_id from memberships where user_id = $1 limit 1')

/**
 * Removes a person from a team; false when they were not in it. Keys that they issued for the team stop at once. Everybody may remove
 * themselves. An internal tool ends all sessions of the person. A manager ends only sessions that began during the membership, and none
 * of a person who is in another team: otherwise a manager could sign out a stranger by adding and removing them.
 * Refusals: invalid_request at `teamId` or `userId`; access_denied as {@link authorizeMemberChange}. Locks: the team.
 * Contract: docs/contract.md#teams-and-members, docs/contract.md#sessions.
 */
export async function removeTeamMember(context: Context, { teamId, userId }: Member): Promise<boolean> {
  await requireTeam(context, teamId, 'teamId')
  return await transaction(context, async (inside) => {
    await authorizeMemberChange(inside, { teamId, userId, to: null })
    await requireUser(inside, userId, 'userId')
    const before = await inside.em().findOne(Membership, { teamId, userId })
    if (!before) return false
    const { role, createdAt } = before
    await inside.em().nativeDelete(Membership, { teamId, userId })
    const byTool = inside.actor.kind !== 'person' && !isLimitedTool(inside.actor)
    const sessionsEnded = (await keepsSessions(inside, userId))
      ? 0
      : await endSessionsOf(inside, userId, byTool ? {} : { since: createdAt })
    await recordAudit(inside, { action: 'member.removed', teamId, subjectId: userId, before: { role }, after: { sessionsEnded } })
    return true
  })
}

/** A remaining session gives no access to the team, because roles are read with each request. */
async function keepsSessions(inside: Context, userId: string): Promise<boolean> {
  return (inside.actor.kind === 'person' || isLimitedTool(inside.actor)) && (await inside.sql.one(stillInTeams, [userId])) !== undefined
}

/** Reads one membership; null when the person is not in the team. */
export async function findMembership(context: Context, { teamId, userId }: Member): Promise<Membership | null> {
  return await context.em().findOne(Membership, { teamId, userId }, { refresh: true })
}

/** Lists the memberships of a team, ordered by `userId`, or of a person, ordered by `teamId`. Older identifiers come first. */
export async function listMemberships(
  context: Context,
  of: { teamId: string } | { userId: string },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<Membership[]> {
  const key = 'teamId' in of ? 'userId' : 'teamId'
  const range = { ...(after === undefined ? {} : { $gt: after }), ...(before === undefined ? {} : { $lt: before }) }
  const where = after === undefined && before === undefined ? of : { ...of, [key]: range }
  return await context.em().find(Membership, where, { orderBy: { [key]: fromTheEnd ? 'desc' : 'asc' }, limit, refresh: true })
}
