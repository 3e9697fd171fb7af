import { isId } from '../../../contract/ids.ts'
import { ApiKey } from '../../../entities/ApiKey.ts'
import type { Context } from '../../context.ts'
import { unknownId } from '../../unknownId.ts'

/** The key as the database has it now; `null` also for what is no identifier. */
export async function findKey(context: Context, id: string): Promise<ApiKey | null> {
  return isId('key', id) ? await context.em().findOne(ApiKey, { id }, { refresh: true }) : null
}

/** Refusals: invalid_request at `id` when there is no such key. */
export async function requireKey(context: Context, id: string): Promise<ApiKey> {
  const key = await findKey(context, id)
  if (!key) throw unknownId('id', 'key')
  return key
}

/** Those of the keys that exist, revoked ones too, in any order, as they stand now. */
export function loadKeys(context: Context, ids: readonly string[]): Promise<ApiKey[]> {
  return context.em().find(ApiKey, { id: { $in: [...ids] } }, { refresh: true })
}
