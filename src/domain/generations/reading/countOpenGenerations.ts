import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** One stretch of an index for each key and state: what has ended is never looked at, however much it is. */
const count = statement<{ keyId: string; generations: number }>(
  'open_work_of_keys',
  `select k.id as key_id, sum(open.generations)::integer as generations
     from unnest($1::text[]) as k (id) cross join unnest('{queued,running,finalizing}'::text[]) as s (state)
     cross join lateral (select count(*) as generations from generations g where g.key_id = k.id and g.state = s.state) open
     group by k.id`,
)

const lookUp = batchLoader<string, number>(async (sql, ids) => {
  const found = new Map((await sql.all(count, [ids])).map(({ keyId, generations }) => [keyId, generations]))
  return ids.map((id) => found.get(id))
})

/** How many generations that a key started have not ended yet; they run on when it is revoked. Keys asked for together are counted together. */
export async function countOpenGenerations(context: Context, keyId: string): Promise<number> {
  return (await lookUp(context, keyId)) ?? 0
}
