import { isId } from '../../../contract/ids.ts'
import { ApiKey } from '../../../entities/ApiKey.ts'
import type { Context } from '../../context.ts'
import { unknownId } from '../../unknownId.ts'

/** Reads the key from the database; `null` when it does not exist or `id` has no valid form. */
export async function findKey(context: Context, id: string): Promise<ApiKey | null> {
  return isId('key', id) ? await context.em().findOne(ApiKey, { id }, { refresh: true }) : null
}

/** Refusals: invalid_request at `id` for an unknown key. */
export async function requireKey(context: Context, id: string): Promise<ApiKey> {
  const key = await findKey(context, id)
  if (!key) throw unknownId('id', 'key')
  return key
}

/** Reads the keys that exist, including revoked ones, in any order. */
export function loadKeys(context: Context, ids: readonly string[]): Promise<ApiKey[]> {
  return context.em().find(ApiKey, { id: { $in: [...ids] } }, { refresh: true })
}
