import type { ApiKey } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'
import { sharedLookup } from '../sharedLookup.ts'
import { statement } from '../sql.ts'

const speaking = statement<{ id: string }>(
  'keys_whose_issuer_speaks',
  `select k.id from api_keys k join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
     where k.id = any($1) and (m.role <> 'member' or k.scopes = '{mcp}')`,
)

const lookUp = sharedLookup<string, true>(async (sql, ids) => {
  const found = new Set((await sql.all(speaking, [ids])).map(({ id }) => id))
  return ids.map((id) => (found.has(id) ? true : undefined))
})

/**
 * Whether the issuer of a key may still act for its team, as doors judge it (`judgeKey.ts`); always so for a person's own key. Keys asked
 * for together are read together. Contract: docs/contract.md#who-is-refused.
 */
export async function issuerSpeaks(context: Context, { id, teamId }: Pick<ApiKey, 'id' | 'teamId'>): Promise<boolean> {
  return teamId === null || (await lookUp(context, id)) === true
}
