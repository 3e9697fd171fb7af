import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** The count is for a person; a higher number gives no more information. */
const countedMax = 10_000

const count = statement<{ keyId: string; links: number }>(
  'count_links',
  `select k.id as key_id, held.links from api_keys k
     cross join lateral (
       select count(*)::integer as links
         from (select from result_links l where l.key_id = k.id and l.until > present() limit $2) as counted
     ) held
     where k.id = any($1) and key_is_live(k.revoked_at, k.expires_at)`,
)

const lookUp = batchLoader<string, number>(async (sql, ids) => {
  const found = new Map((await sql.all(count, [ids, countedMax])).map(({ keyId, links }) => [keyId, links]))
  return ids.map((id) => found.get(id))
})

/**
 * Counts the results with working links of a key, up to 10,000, each once, including links in webhook bodies. 0 for a key that has ended.
 * Concurrent calls share one statement. Contract: docs/contract.md#life-of-a-result-link.
 */
export async function countActiveLinks(context: Context, keyId: string): Promise<number> {
  return (await lookUp(context, keyId)) ?? 0
}
