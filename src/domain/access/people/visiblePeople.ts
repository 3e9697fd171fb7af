import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const read = statement<{ id: string }>(
  'known_people',
  `with mine as (select team_id, role from memberships where user_id = $1)
     select id from unnest($2::text[]) as asked (id)
       where id = $1 or exists (select from memberships m join mine using (team_id) where m.user_id = asked.id)
         or exists (select from api_keys k join mine using (team_id) where k.user_id = asked.id and manages_team(mine.role))`,
)

/**
 * Filters `ids` to the people whose name and e-mail address the signed-in person may see: themselves, members of their teams, and issuers
 * of keys of teams that they manage, including former members. Contract: docs/contract.md#callers.
 */
export async function visiblePeople(context: Context, userId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await context.sql.all(read, [userId, ids])
  return new Set(rows.map(({ id }) => id))
}
