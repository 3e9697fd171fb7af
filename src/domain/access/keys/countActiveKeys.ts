import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

type Member = { teamId: string; userId: string }

/** Live keys of an issuer. `all` stop when the issuer leaves the team; `rest`, with scopes beyond `mcp`, also when they become a member. */
export type ActiveKeyCounts = { all: number; rest: number }

const count = statement<Member & ActiveKeyCounts>(
  'working_keys',
  `select team_id, user_id, count(*)::integer as all, count(*) filter (where not scopes <@ '{mcp}')::integer as rest from api_keys
     where user_id = any($2) and team_id = any($1) and key_is_live(revoked_at, expires_at) group by 1, 2`,
)

/**
 * Counts the live keys that each member has issued for their team, in the order of `members`. Contract: docs/contract.md#who-is-refused.
 */
export async function countActiveKeys(context: Context, members: readonly Member[]): Promise<ActiveKeyCounts[]> {
  const rows = await context.sql.all(count, [members.map(({ teamId }) => teamId), members.map(({ userId }) => userId)])
  const found = new Map(rows.map(({ teamId, userId, all, rest }) => [`${teamId} ${userId}`, { all, rest }]))
  return members.map(({ teamId, userId }) => found.get(`${teamId} ${userId}`) ?? { all: 0, rest: 0 })
}
