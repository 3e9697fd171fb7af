import type { Role } from '../../entities/Membership.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const read = statement<{ teamId: string; role: Role }>('roles_of', 'select team_id, role from memberships where user_id = $1')

/** What a person is in each of their teams, as the database has it now. Contract: docs/contract.md#roles. */
export async function rolesOf(context: Context, userId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await context.sql.all(read, [userId])
  return new Map(rows.map(({ teamId, role }) => [teamId, role]))
}
