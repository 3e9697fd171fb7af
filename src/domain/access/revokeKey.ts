import { ApiKey } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'
import { requireKey } from './findKey.ts'

/**
 * Revokes a key: the next request with it is refused, its result links are dead, what it started runs on. Again is no error and
 * keeps the first moment. Refusals: invalid_request at `id`. Spec: Authentication, rule 8. Contract: section 6, revokeApiKey.
 */
export async function revokeKey(context: Context, id: string): Promise<ApiKey> {
  await context.em().nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: context.clock.now() })
  return await requireKey(context, id)
}
