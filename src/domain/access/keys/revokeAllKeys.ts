import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const ofTeam = voiding('void_keys_of_team', 'team_id = $1')
const ofPerson = voiding('void_keys_of_person', 'user_id = $1')

/**
 * Revokes every key of a team, or that a person has issued, with the transaction of the context, and takes away what could be told of
 * its value. A personal key loses its name as well; what a team called its own stays while the team does.
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
