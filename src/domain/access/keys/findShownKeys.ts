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
           where value_holder_id = m.user_id and team_id = m.team_id and key_is_live(revoked_at, expires_at)
         union select id from api_keys
           where previous_holder_id = m.user_id and team_id = m.team_id and previous_until > present() and key_is_live(revoked_at, expires_at)
         order by id desc limit ${limits.shownValuesListed}
       ) shown
     order by shown.id desc`,
)

/**
 * Finds the live keys of the team whose present or still working previous value a rotation showed to the member. One list for each
 * member, in their order; newest keys first, at most 50. Keys that the member issued are not included.
 * Contract: docs/contract.md#teams-and-members.
 */
export async function findShownKeys(context: Context, members: readonly Member[]): Promise<string[][]> {
  const rows = await context.sql.all(find, [members.map(({ teamId }) => teamId), members.map(({ userId }) => userId)])
  return members.map(({ teamId, userId }) => rows.filter((row) => row.teamId === teamId && row.userId === userId).map(({ id }) => id))
}
