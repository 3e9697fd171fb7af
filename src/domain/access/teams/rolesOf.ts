import type { Role } from '../../../entities/Membership.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const read = statement<{ teamId: string; role: Role }>('roles_of', 'select team_id, role from memberships where user_id = $1')

/** What a person is in each of their teams, as the database has it now. Contract: docs/contract.md#roles. */
export async function rolesOf(context: Context, userId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await context.sql.all(read, [userId])
  return new Map(rows.map(({ teamId, role }) => [teamId, role]))
}

/** Whether a person who asked for something of that owner's some time ago may still see it. Others are asked by their keys. */
export async function mayStillAccessOwner(context: Context, ownerId: string): Promise<boolean> {
  const { actor } = context
  return actor.kind !== 'person' || actor.userId === ownerId || (await rolesOf(context, actor.userId)).has(ownerId)
}
