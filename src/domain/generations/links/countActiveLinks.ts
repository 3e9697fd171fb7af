import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** What is counted is shown to a person: above this it says enough. */
const countedMax = 10_000

const count = statement<{ keyId: string; links: number }>(
  'count_links',
  `select k.id as key_id, held.links from api_keys k
     cross join lateral (
       select count(*)::integer as links
         from (select from result_links l where l.key_id = k.id and l.until > present() limit $2) as counted
     ) held
     where k.id = any($1) and key_lives(k.revoked_at, k.expires_at)`,
)

const lookUp = batchLoader<string, number>(async (sql, ids) => {
  const found = new Map((await sql.all(count, [ids, countedMax])).map(({ keyId, links }) => [keyId, links]))
  return ids.map((id) => found.get(id))
})

/**
 * How many results a key holds working links to, up to 10,000: each result once, however often it was read, also in bodies of webhooks.
 * None for a key that has ended. Keys asked for together are counted together. Contract: docs/contract.md#life-of-a-result-link.
 */
export async function countActiveLinks(context: Context, keyId: string): Promise<number> {
  return (await lookUp(context, keyId)) ?? 0
}
