import type { Role } from '../../../entities/Membership.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

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
