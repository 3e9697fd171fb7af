import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

type Member = { teamId: string; userId: string }

const find = statement<Member & { id: string }>(
  'shown_keys',
  `select m.team_id, m.user_id, shown.id
     from unnest($1::text[], $2::text[]) as m (team_id, user_id)
       cross join lateral (
         select id from api_keys
           where value_holder_id = m.user_id and team_id = m.team_id and key_lives(revoked_at, expires_at)
         union select id from api_keys
           where previous_holder_id = m.user_id and team_id = m.team_id and previous_until > present() and key_lives(revoked_at, expires_at)
         order by id desc limit ${limits.shownValuesListed}
       ) shown
     order by shown.id desc`,
)

/**
 * For each of the members, in their order: the working keys of the team, newest first and 50 at most, of which a rotation showed them the
 * present value, or the one before while it still works. Keys that they issued are not among them.
 * Contract: docs/contract.md#teams-and-members.
 */
export async function findShownKeys(context: Context, members: readonly Member[]): Promise<string[][]> {
  const rows = await context.sql.all(find, [members.map(({ teamId }) => teamId), members.map(({ userId }) => userId)])
  return members.map(({ teamId, userId }) => rows.filter((row) => row.teamId === teamId && row.userId === userId).map(({ id }) => id))
}
