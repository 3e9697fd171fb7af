import type { Context } from '../context.ts'
import { sharedLookup } from '../sharedLookup.ts'
import { statement } from '../sql.ts'

/** By what its owner has under way, which is little beside their history. */
const count = statement<{ keyId: string; generations: number }>(
  'open_work_of_keys',
  `with owners as (
     select distinct coalesce(team_id, user_id) as id from api_keys where id = any($1)
   )
   select g.key_id, count(*)::integer as generations
     from owners join generations g on g.owner_id = owners.id and g.state in ('queued', 'running', 'finalizing')
     where g.key_id = any($1) group by g.key_id`,
)

const lookUp = sharedLookup<string, number>(async (sql, ids) => {
  const found = new Map((await sql.all(count, [ids])).map(({ keyId, generations }) => [keyId, generations]))
  return ids.map((id) => found.get(id))
})

/** How many generations that a key started have not ended yet; they run on when it is revoked. Keys asked for together are counted together. */
export async function openWorkOfKey(context: Context, keyId: string): Promise<number> {
  return (await lookUp(context, keyId)) ?? 0
}
