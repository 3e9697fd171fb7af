import { ApiKey } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'

/** Those of the keys that exist, revoked ones too, in any order, as they stand now. */
export function loadKeys(context: Context, ids: readonly string[]): Promise<ApiKey[]> {
  return context.em().find(ApiKey, { id: { $in: [...ids] } }, { refresh: true })
}
