import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const read = statement<{ id: string }>(
  'known_people',
  `with mine as (select team_id, role from memberships where user_id = $1)
     select id from unnest($2::text[]) as asked (id)
       where id = $1 or exists (select from memberships m join mine using (team_id) where m.user_id = asked.id)
         or exists (select from api_keys k join mine using (team_id) where k.user_id = asked.id and manages_team(mine.role))`,
)

const membersOf = statement<{ id: string }>(
  'members_of_teams',
  'select distinct user_id as id from memberships where team_id = any ($1) and user_id = any ($2)',
)

/**
 * Filters `ids` to the people whose name and e-mail address the caller may see. A signed-in person: themselves, members of their teams,
 * and issuers of keys of teams that they manage, including former members. An internal tool: everybody, or members of the teams of its
 * token. Contract: docs/contract.md#callers.
 */
export async function visiblePeople(context: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { actor, sql } = context
  if (actor.kind === 'person') return setOf(await sql.all(read, [actor.userId, ids]))
  if (actor.kind !== 'service') return new Set()
  return actor.token?.teamIds ? setOf(await sql.all(membersOf, [actor.token.teamIds, ids])) : new Set(ids)
}

function setOf(rows: { id: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id))
}
