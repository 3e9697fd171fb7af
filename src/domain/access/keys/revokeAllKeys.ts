import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const ofTeam = voiding('void_keys_of_team', 'team_id = $1')
const ofPerson = voiding('void_keys_of_person', 'user_id = $1')

/**
 * Revokes every key of a team, or every key that a person has issued, in the transaction of the context, and erases prefixes and previous
 * values. Keys of a deleted team and personal keys lose their name; other keys of a team keep it.
 */
export async function revokeAllKeys({ sql }: Context, of: { teamId: string } | { userId: string }): Promise<void> {
  await ('teamId' in of ? sql.all(ofTeam, [of.teamId]) : sql.all(ofPerson, [of.userId]))
}

function voiding(name: string, whose: string) {
  const isTheirs = whose.startsWith('team_id') ? 'true' : 'team_id is null'
  return statement<never>(
    name,
    `update api_keys set revoked_at = coalesce(revoked_at, present()), prefix = '', previous_prefix = null, previous_hash = null,
         previous_until = null, name = case when ${isTheirs} then 'deleted' else name end
       where ${whose}`,
  )
}
