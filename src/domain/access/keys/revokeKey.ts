import { ApiKey } from '../../../entities/ApiKey.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { requireKey } from './findKey.ts'
import { lockManagedKeys, requireObjectOfTeam, requireWithinRights } from './managingKey.ts'

/**
 * Revokes a key. Requests with it are refused and its result links stop at once; generations that it started continue. A repeat changes
 * nothing. Refusals: invalid_request at `id`; access_denied for rights beyond those of the asking key. Locks: the key and the
 * asking key. Contract: docs/contract.md#api-keys.
 */
export async function revokeKey(context: Context, id: string): Promise<ApiKey> {
  requireObjectOfTeam(context, (await requireKey(context, id)).teamId)
  await transaction(context, async (inside) => {
    const own = await lockManagedKeys(inside, [id])
    const key = await requireKey(inside, id)
    requireWithinRights(own, key, 'The key')
    const revoked = await inside.em().nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: context.clock.now() })
    if (revoked === 0) return
    await recordAudit(inside, { action: 'key.revoked', teamId: key.teamId, subjectId: id })
  })
  return await requireKey(context, id)
}
