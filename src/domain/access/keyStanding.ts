import { Refusal } from '../../contract/refusals.ts'
import type { Scope } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'
import { sharedLookup } from '../sharedLookup.ts'
import { statement } from '../sql.ts'
import type { FoundKey } from './admitRequests.ts'
import { requireScope, requireStanding } from './judgeKey.ts'

const byIds = statement<FoundKey>(
  'keys_as_they_stand',
  `select k.id as key_id, k.user_id, k.team_id, k.scopes, u.subscription_active, t.blocked, t.external_access, t.plan_expires_at, m.role
     from api_keys k
       left join users u on u.id = k.user_id
       left join teams t on t.id = k.team_id
       left join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
     where k.id = any($1) and key_lives(k.revoked_at, k.expires_at)`,
)

/** Those of all requests of a process that arrive together are read together. */
const lookUp = sharedLookup<string, FoundKey>(async (sql, ids) => {
  const found = new Map((await sql.all(byIds, [[...new Set(ids)]])).map((row) => [row.keyId, row]))
  return ids.map((id) => found.get(id))
})

/**
 * Whether a key that was let in some time ago would be let in with that scope now: it lives, its team is open, its plan runs, and its
 * issuer still speaks for the team. Spec: Authentication, rule 4.
 */
export async function keyStillStands(context: Context, keyId: string, scope: Scope): Promise<boolean> {
  const key = await lookUp(context, keyId)
  if (!key) return false
  try {
    requireStanding(key, scope, context.clock.now())
    requireScope(key, scope)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
