import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** Scans one index range for each key and open state, so ended generations cost nothing. */
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

/** Counts the open generations of a key. They continue after it is revoked. Concurrent calls share one statement. */
export async function countOpenGenerations(context: Context, keyId: string): Promise<number> {
  return (await lookUp(context, keyId)) ?? 0
}
