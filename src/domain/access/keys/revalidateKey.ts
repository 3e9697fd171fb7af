import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import type { Actor } from '../actor.ts'
import type { FoundKey } from '../admission/admitRequests.ts'
import { checkKeyAccess } from './checkKeyAccess.ts'

/** A key and its present value, with what is said of the value before the last rotation: `olderHash` is null when that works no longer. */
type KeyWithHolders = FoundKey & { hash: Buffer; olderHash: Buffer | null; olderHolderId: string | null; olderHolderRole: Role | null }

const byIds = statement<KeyWithHolders>(
  'keys_as_they_stand',
  `select k.id as key_id, k.hash, case when k.previous_until > present() then k.previous_hash end as older_hash, k.user_id, k.team_id, k.scopes,
       u.subscription_active, t.blocked, t.external_access, t.plan_expires_at, m.role, k.value_holder_id as holder_id, h.role as holder_role,
       k.previous_holder_id as older_holder_id, o.role as older_holder_role
     from api_keys k
       left join users u on u.id = k.user_id
       left join teams t on t.id = k.team_id
       left join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
       left join memberships h on h.team_id = k.team_id and h.user_id = k.value_holder_id
       left join memberships o on o.team_id = k.team_id and o.user_id = k.previous_holder_id
     where k.id = any($1) and key_lives(k.revoked_at, k.expires_at)`,
)

/** Those of all requests of a process that arrive together are read together. */
const lookUp = batchLoader<string, KeyWithHolders>(async (sql, ids) => {
  const found = new Map((await sql.all(byIds, [[...new Set(ids)]])).map((row) => [row.keyId, row]))
  return ids.map((id) => found.get(id))
})

/**
 * Refuses a key that was let in some time ago and would not be let in now: it has to live, by the value that was presented, its team to
 * be open, its plan to run, and its issuer, and the holder of the value, to manage the team still.
 * Refusals: invalid_token, account_blocked, access_denied, team_expired, team_required. Contract: docs/contract.md#who-is-refused.
 */
export async function revalidateKey(context: Context, keyId: string): Promise<void> {
  const { actor } = context
  const found = await lookUp(context, keyId)
  const key = found && keyForPresentedValue(found, actor)
  if (!key) throw new Refusal('invalid_token')
  checkKeyAccess(key, actor.kind === 'key' && actor.door === 'mcp' ? 'mcp' : 'generations:read', context.clock.now())
}

/** As {@link revalidateKey}, as an answer. */
export async function keyIsStillValid(context: Context, keyId: string): Promise<boolean> {
  try {
    await revalidateKey(context, keyId)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'service_unavailable') return false
    throw error
  }
}

/** The key by the value that was presented, with that value's holder; `undefined` when the value is none of the key's any more. */
function keyForPresentedValue(key: KeyWithHolders, actor: Actor): FoundKey | undefined {
  const presented = actor.kind === 'key' ? actor.valueHash : undefined
  if (presented === undefined || key.hash.equals(presented)) return key
  if (!key.olderHash?.equals(presented)) return undefined
  return { ...key, holderId: key.olderHolderId, holderRole: key.olderHolderRole }
}
