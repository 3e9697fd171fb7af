import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import type { Actor } from '../actor.ts'
import type { FoundKey } from '../admission/admitRequests.ts'
import { checkKeyAccess } from './checkKeyAccess.ts'

/** A key with its present and previous value. `olderHash` is null when the previous value no longer works. */
type KeyWithHolders = FoundKey & { hash: Buffer; olderHash: Buffer | null; olderHolderId: string | null; olderHolderRole: Role | null }

const byIds = statement<KeyWithHolders>(
  'keys_as_they_stand',
  `select k.id as key_id, k.hash, case when k.previous_until > present() then k.previous_hash end as older_hash, k.user_id, k.team_id, k.scopes,
       k.expires_at, u.subscription_active, t.blocked, t.external_access, t.plan_expires_at, m.role, k.value_holder_id as holder_id, h.role as holder_role,
       k.previous_holder_id as older_holder_id, o.role as older_holder_role
     from api_keys k
       left join users u on u.id = k.user_id
       left join teams t on t.id = k.team_id
       left join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
       left join memberships h on h.team_id = k.team_id and h.user_id = k.value_holder_id
       left join memberships o on o.team_id = k.team_id and o.user_id = k.previous_holder_id
     where k.id = any($1) and key_is_live(k.revoked_at, k.expires_at)`,
)

/** Concurrent reads of this process share one statement. */
const loadKey = batchLoader<string, KeyWithHolders>(async (sql, ids) => {
  const found = new Map((await sql.all(byIds, [[...new Set(ids)]])).map((row) => [row.keyId, row]))
  return ids.map((id) => found.get(id))
})

/**
 * Checks an authenticated key again during a long request: the key and the presented value must still work, its team must be open with a
 * current plan, and the issuer and the holder of the value must still have their roles.
 * Refusals: invalid_token, account_blocked, access_denied, team_expired, team_required. Contract: docs/contract.md#who-is-refused.
 */
export async function revalidateKey(context: Context, keyId: string): Promise<void> {
  const { actor } = context
  const found = await loadKey(context, keyId)
  const key = found && keyForPresentedValue(found, actor)
  if (!key) throw new Refusal('invalid_token')
  checkKeyAccess(key, actor.kind === 'key' && actor.door === 'mcp' ? 'mcp' : 'generations:read', context.clock.now())
}

/** The result of {@link revalidateKey} as a boolean. Rejects when the database is unavailable. */
export async function keyIsStillValid(context: Context, keyId: string): Promise<boolean> {
  try {
    await revalidateKey(context, keyId)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'service_unavailable') return false
    throw error
  }
}

/** The key with the holder of the presented value; `undefined` when that value no longer works. */
function keyForPresentedValue(key: KeyWithHolders, actor: Actor): FoundKey | undefined {
  const presented = actor.kind === 'key' ? actor.valueHash : undefined
  if (presented === undefined || key.hash.equals(presented)) return key
  if (!key.olderHash?.equals(presented)) return undefined
  return { ...key, holderId: key.olderHolderId, holderRole: key.olderHolderRole }
}
