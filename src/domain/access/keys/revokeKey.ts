import { ApiKey } from '../../../entities/ApiKey.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { requireKey } from './findKey.ts'

/**
 * Revokes a key. Requests with it are refused and its result links stop at once; generations that it started continue. A repeat changes
 * nothing. Refusals: invalid_request at `id`. Contract: docs/contract.md#api-keys.
 */
export async function revokeKey(context: Context, id: string): Promise<ApiKey> {
  await transaction(context, async (inside) => {
    const revoked = await inside.em().nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: context.clock.now() })
    if (revoked === 0) return
    const { teamId } = await requireKey(inside, id)
    await recordAudit(inside, { action: 'key.revoked', teamId, subjectId: id })
  })
  return await requireKey(context, id)
}
