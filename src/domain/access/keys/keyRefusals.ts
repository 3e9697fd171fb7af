import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'

/** Refused requests of a key with one code. */
export type KeyRefusal = { code: string; count: number; lastAt: Date }

/** The days before today whose refusals are shown and kept. */
const keptDays = 30
const batchSize = 2_000

const read = statement<KeyRefusal & { keyId: string }>(
  'refusals_of_keys',
  `select key_id, code, sum(count)::double precision as count, max(last_at) as last_at from key_refusals
     where key_id = any($1) and day >= utc_day(present()) - ${keptDays} group by key_id, code order by count desc, code`,
)

const load = batchLoader<string, KeyRefusal[]>(async (sql, ids) => {
  const rows = await sql.all(read, [ids])
  return ids.map((id) => rows.filter(({ keyId }) => keyId === id).map(({ code, count, lastAt }) => ({ code, count, lastAt })))
})

/** The refused requests of a key in the last 30 days by code, the most frequent first. Reads of several keys are batched. */
export async function refusalsOfKey(context: Context, keyId: string): Promise<KeyRefusal[]> {
  return (await load(context, keyId)) ?? []
}

const old = statement<{ day: string }>(
  'prune_key_refusals',
  `delete from key_refusals where ctid = any(array(
     select ctid from key_refusals where day < utc_day(present()) - ${keptDays} limit ${batchSize} for update skip locked)) returning day`,
)

/** Deletes counts of old days. Returns their number. Locks: the rows, in batches. */
export function pruneKeyRefusals({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return runInBatches(batchSize, async () => (await sql.all(old, [])).length)
}
