import { Refusal } from '../../../contract/refusals/refusals.ts'
import { Membership, type Role } from '../../../entities/Membership.ts'
import { type Context, transaction } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { lockOwner } from '../../lockOwner.ts'
import { isLimitedTool } from '../actor.ts'
import { requireUser } from '../people/users.ts'
import { authorizeMemberChange } from './authorizeMemberChange.ts'
import { endMembership, putMembership } from './membershipChanges.ts'
import { requireTeam } from './teams.ts'

type Member = { teamId: string; userId: string }

/**
 * Adds a person to a team, or changes their role, by hand: groups no longer change the membership. An internal tool may leave a team without
 * an owner; keys of the former owner then stop.
 * Refusals: invalid_request at `teamId` or `userId`; access_denied as {@link authorizeMemberChange}, and for one's own role from
 * groups. Locks: the team, the person (for share).
 * Contract: docs/contract.md#teams-and-members.
 */
export async function setTeamMember(context: Context, { teamId, userId, role }: Member & { role: Role }): Promise<Membership> {
  await requireTeam(context, teamId, 'teamId')
  return await transaction(context, async (inside) => {
    await authorizeMemberChange(inside, { teamId, userId, to: role })
    await requireUser(inside, userId, 'userId')
    await lockOwner(inside, userId, 'userId')
    await requireNotOwnFromGroups(inside, { teamId, userId })
    return await putMembership(inside, { teamId, userId, role })
  })
}

/** Otherwise a person whom a group made a manager could keep the role after they leave the group. */
async function requireNotOwnFromGroups(inside: Context, { teamId, userId }: Member): Promise<void> {
  const { actor } = inside
  if (actor.kind !== 'person' || actor.userId !== userId) return
  if (!(await inside.em().findOne(Membership, { teamId, userId }))?.fromGroups) return
  const message = 'A group gives you your role. Another owner or administrator of the team can set it by hand.'
  throw new Refusal('access_denied', { cause: 'role' }, { message })
}

/**
 * Removes a person from a team; false when they were not in it. Keys that they issued for the team stop at once. Everybody may remove
 * themselves. {@link endMembership} describes which sessions end.
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
    await endMembership(inside, before, { byTool: inside.actor.kind !== 'person' && !isLimitedTool(inside.actor) })
    return true
  })
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
