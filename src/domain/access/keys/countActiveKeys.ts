import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

type Member = { teamId: string; userId: string }

/** Keys that work: `all` stop once their issuer leaves the team, `rest`, which open more than the door for agents, also once they become a member. */
export type ActiveKeyCounts = { all: number; rest: number }

const count = statement<Member & ActiveKeyCounts>(
  'working_keys',
  `select team_id, user_id, count(*)::integer as all, count(*) filter (where not scopes <@ '{mcp}')::integer as rest from api_keys
     where user_id = any($2) and team_id = any($1) and key_lives(revoked_at, expires_at) group by 1, 2`,
)

/**
 * How many working keys each of the members has issued for that team, in the order of `members`. Contract: docs/contract.md#who-is-refused.
 */
export async function countActiveKeys(context: Context, members: readonly Member[]): Promise<ActiveKeyCounts[]> {
  const rows = await context.sql.all(count, [members.map(({ teamId }) => teamId), members.map(({ userId }) => userId)])
  const found = new Map(rows.map(({ teamId, userId, all, rest }) => [`${teamId} ${userId}`, { all, rest }]))
  return members.map(({ teamId, userId }) => found.get(`${teamId} ${userId}`) ?? { all: 0, rest: 0 })
}
