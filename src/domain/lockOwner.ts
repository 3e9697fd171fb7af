import { isId } from '../contract/ids.ts'
import type { Context } from './context.ts'
import { statement } from './sql.ts'
import { unknownId } from './unknownId.ts'

const team = statement<{ id: string }>('hold_team', 'select id from teams where id = $1 and deleted_at is null for share')
const user = statement<{ id: string }>('hold_user', 'select id from users where id = $1 and deleted_at is null for share')

/**
 * Blocks the deletion of a team or person until the current transaction ends, so that the deletion also removes rows created in it.
 * Refusals: invalid_request at `field` when the owner does not exist or is deleted. Locks: the row of the team or person (for share).
 */
export async function lockOwner({ sql }: Context, id: string, field: string): Promise<void> {
  const isTeam = isId('team', id)
  if (!(await sql.one(isTeam ? team : user, [id]))) throw unknownId(field, isTeam ? 'team' : 'user')
}
