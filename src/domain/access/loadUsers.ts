import { User } from '../../entities/User.ts'
import type { Context } from '../context.ts'

/** Those of the people who exist, in any order, as they stand now. */
export function loadUsers(context: Context, ids: readonly string[]): Promise<User[]> {
  return context.em().find(User, { id: { $in: [...ids] } }, { refresh: true })
}
