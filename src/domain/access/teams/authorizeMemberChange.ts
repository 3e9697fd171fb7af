import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { assignableRoles, roleMay } from '../permissions.ts'
import { lockTeam } from './teams.ts'

/** A change of a membership. `to`: the new role, null for a removal. */
export type MembershipChange = { teamId: string; userId: string; to: Role | null }

const readRoles = statement<{ userId: string; role: Role }>(
  'roles_in_team',
  'select user_id, role from memberships where team_id = $1 and user_id = any($2)',
)
const readOtherOwner = statement<{ userId: string }>(
  'other_owner',
  `select user_id from memberships where team_id = $1 and role = 'owner' and user_id <> $2 limit 1`,
)

/**
 * Serializes the changes of a team's members, and refuses changes that a signed-in person may not make. Roles give and take the roles of
 * `assignableRoles`; everybody may leave; a team keeps at least one owner. Internal tools may make every change. Roles are read under the
 * lock, so that a role lost since the request began does not count. Refusals: access_denied. Locks: the team, until the transaction ends.
 * Contract: docs/contract.md#teams-and-members.
 */
export async function authorizeMemberChange(inside: Context, { teamId, userId, to }: MembershipChange): Promise<void> {
  await lockTeam(inside, teamId)
  const { actor } = inside
  if (actor.kind !== 'person') return
  const found = await inside.sql.all(readRoles, [teamId, [actor.userId, userId]])
  const roles = new Map(found.map((row) => [row.userId, row.role]))
  const from = roles.get(userId) ?? null
  const own = roles.get(actor.userId) ?? null
  const isLeaving = to === null && actor.userId === userId
  if (!isLeaving && !roleMayChange(own, { from, to })) throw denied(denialMessage(own))
  if (from !== 'owner' || to === 'owner' || (await hasOtherOwner(inside, { teamId, userId }))) return
  throw denied('A team needs at least one owner. Make another person an owner first.')
}

/** Whether the team has an owner besides this person. Exact only under the lock of the team. */
export async function hasOtherOwner({ sql }: Context, { teamId, userId }: { teamId: string; userId: string }): Promise<boolean> {
  return (await sql.one(readOtherOwner, [teamId, userId])) !== undefined
}

/** Whether a person with the role `own` may change a member's role; null is a person outside the team. */
function roleMayChange(own: Role | null, { from, to }: { from: Role | null; to: Role | null }): boolean {
  return own !== null && [from, to].every((role) => role === null || assignableRoles[own].includes(role)) && roleMay(own, 'members.change')
}

function denialMessage(own: Role | null): string {
  if (roleMay(own, 'members.change')) return 'Only an owner may make or change an owner.'
  return 'Only owners and administrators may change who is in the team.'
}

function denied(message: string): Refusal<'access_denied'> {
  return new Refusal('access_denied', { cause: 'role' }, { message })
}
