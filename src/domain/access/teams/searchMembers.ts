import type { Membership } from '../../../entities/Membership.ts'
import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { parseText } from '../../parseText.ts'
import { containing } from '../../search.ts'
import { statement } from '../../sql.ts'

const searchCharactersMax = 254

function page(name: string, order: 'asc' | 'desc') {
  return statement<Membership>(
    name,
    `select m.team_id, m.user_id, m.role, m.from_groups, m.created_at from memberships m join users u on u.id = m.user_id
       where m.team_id = $1 and (u.name ilike $2 or u.email ilike $2 or u.id = $3)
         and m.user_id > coalesce($4, '') and ($5::text is null or m.user_id < $5)
       order by m.user_id ${order} limit $6`,
  )
}
const oldestFirst = page('search_members', 'asc')
const newestFirst = page('search_members_from_the_end', 'desc')

/**
 * Lists the memberships of a team whose person matches, ordered by `userId`. `search`: a part of the name or of the e-mail address,
 * case-insensitive, or a whole identifier. Refusals: invalid_request at `search`. Contract: docs/contract.md#queries.
 */
export function searchMembers(
  { sql }: Pick<Context, 'sql'>,
  { teamId, search }: { teamId: string; search: string },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<Membership[]> {
  const wanted = parseText(search, { field: 'search', charactersMin: 0, charactersMax: searchCharactersMax })
  const values = [teamId, containing(wanted).$ilike, wanted, after ?? null, before ?? null, limit]
  return sql.all(fromTheEnd ? newestFirst : oldestFirst, values)
}
