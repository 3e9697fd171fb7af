import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { type Action, roleMay } from '../permissions.ts'

const read = statement<{ teamId: string; role: Role }>('roles_of', 'select team_id, role from memberships where user_id = $1')

/** Reads the role of a person in each of their teams. Contract: docs/contract.md#roles. */
export async function rolesOf(context: Context, userId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await context.sql.all(read, [userId])
  return new Map(rows.map(({ teamId, role }) => [teamId, role]))
}

/** Checks again, during a long request, that a person may read the objects of an owner. True for keys: `revalidateKey` checks them. */
export async function mayStillAccessOwner(context: Context, ownerId: string): Promise<boolean> {
  const { actor } = context
  return actor.kind !== 'person' || actor.userId === ownerId || (await rolesOf(context, actor.userId)).has(ownerId)
}

const readRole = statement<{ role: Role }>('role_in_team', 'select role from memberships where team_id = $1 and user_id = $2')

/**
 * Refuses a signed-in person whose role in the team does not permit the action; tools pass. Call it under the lock of the team, so that
 * the role cannot change before the transaction ends. Refusals: access_denied with `message`. Contract: docs/contract.md#roles.
 */
export async function requireTeamRole({ actor, sql }: Context, action: Action, { teamId, message }: { teamId: string; message: string }) {
  if (actor.kind !== 'person') return
  const membership = await sql.one(readRole, [teamId, actor.userId])
  if (!roleMay(membership?.role, action)) throw new Refusal('access_denied', { cause: 'role' }, { message })
}
