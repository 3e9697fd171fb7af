import { isId } from '../contract/ids.ts'
import type { Context } from './context.ts'
import { statement } from './sql.ts'
import { unknownId } from './unknownId.ts'

const team = statement<{ id: string }>('hold_team', 'select id from teams where id = $1 and deleted_at is null for share')
const user = statement<{ id: string }>('hold_user', 'select id from users where id = $1 and deleted_at is null for share')

/**
 * Keeps a team or a person from being deleted until the transaction of the context ends: what is made for them meanwhile is there when the
 * deletion looks for what to take away. Refusals: invalid_request at `field` for one that is not, or not any more. Locks: the team or person.
 */
export async function lockOwner({ sql }: Context, id: string, field: string): Promise<void> {
  const isTeam = isId('team', id)
  if (!(await sql.one(isTeam ? team : user, [id]))) throw unknownId(field, isTeam ? 'team' : 'user')
}
