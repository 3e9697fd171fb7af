import type { ApiKey } from '../../../entities/ApiKey.ts'
import { rowLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/**
 * Whether the issuer of a key, and the holders of its present and previous value, may still act for its team. A value without a holder
 * depends only on the issuer.
 */
export type KeyAuthorization = { issuer: boolean; holder: boolean; previousHolder: boolean }

const authorities = statement<KeyAuthorization & { id: string }>(
  'key_authorities',
  `select key_id as id, issuer_may_act as issuer, holder_may_act as holder, previous_holder_may_act as previous_holder
     from key_standing() where key_id = any($1)`,
)

const loadAuthorization = rowLoader(authorities)

const own: KeyAuthorization = { issuer: true, holder: true, previousHolder: true }
const none: KeyAuthorization = { issuer: false, holder: false, previousHolder: false }

/**
 * Reads the authorization of a key by the same rules as `checkKeyAccess`. A personal key is always authorized. Concurrent reads are
 * batched. Contract: docs/contract.md#who-is-refused.
 */
export async function keyAuthorization(context: Context, { id, teamId }: Pick<ApiKey, 'id' | 'teamId'>): Promise<KeyAuthorization> {
  return teamId === null ? own : ((await loadAuthorization(context, id)) ?? none)
}
