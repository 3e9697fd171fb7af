import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

export type Member = { teamId: string; userId: string }

const count = statement<Member & { keys: number }>(
  'working_keys',
  `select team_id, user_id, count(*)::integer as keys from api_keys k
     where user_id = any($2) and team_id = any($1) and key_lives(revoked_at, expires_at) group by 1, 2`,
)

/**
 * How many keys each of the members has issued for that team that are not revoked: those stop working once they leave it, or are no
 * longer owner or administrator. In the order of `members`. Spec: Authentication, rule 2.
 */
export async function countWorkingKeys(context: Context, members: readonly Member[]): Promise<number[]> {
  const rows = await context.sql.all(count, [members.map(({ teamId }) => teamId), members.map(({ userId }) => userId)])
  const found = new Map(rows.map(({ teamId, userId, keys }) => [`${teamId} ${userId}`, keys]))
  return members.map(({ teamId, userId }) => found.get(`${teamId} ${userId}`) ?? 0)
}
