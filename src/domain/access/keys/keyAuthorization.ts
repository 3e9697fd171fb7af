import type { ApiKey } from '../../../entities/ApiKey.ts'
import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/**
 * Whether the people behind a key may still act for its team: its issuer, and the holders of its present value and of the one before. A
 * value without a holder depends on the issuer alone.
 */
export type KeyAuthorization = { issuer: boolean; holder: boolean; previousHolder: boolean }

const authorities = statement<KeyAuthorization & { id: string }>(
  'key_authorities',
  `select key_id as id, issuer_may_act as issuer, holder_may_act as holder, previous_holder_may_act as previous_holder
     from key_standing() where key_id = any($1)`,
)

const lookUp = batchLoader<string, KeyAuthorization>(async (sql, ids) => {
  const found = new Map((await sql.all(authorities, [ids])).map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

const own: KeyAuthorization = { issuer: true, holder: true, previousHolder: true }
const none: KeyAuthorization = { issuer: false, holder: false, previousHolder: false }

/**
 * The authority of a key, as requests are judged (`judgeKey.ts`); always whole for a person's own key. Keys asked for together are read
 * together. Contract: docs/contract.md#who-is-refused.
 */
export async function keyAuthorization(context: Context, { id, teamId }: Pick<ApiKey, 'id' | 'teamId'>): Promise<KeyAuthorization> {
  return teamId === null ? own : ((await lookUp(context, id)) ?? none)
}
