import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const rowsAtOnce = 5_000

const oldQuotes = statement<{ id: string }>(
  'prune_quotes',
  `delete from quotes q using (
     select id from quotes where created_at < present() - $1 * interval '1 hour' order by created_at limit ${rowsAtOnce} for update skip locked
   ) old where q.id = old.id returning q.id`,
)

/**
 * Forgets quotes, in batches, an hour after the last start with one of them is forgotten: a start forgotten first could be repeated, but
 * not under a quote that has expired long ago. Returns how many. Contract: section 7.
 */
export async function pruneQuotes(context: Context): Promise<number> {
  let forgotten = 0
  for (;;) {
    const { length } = await context.sql.all(oldQuotes, [limits.idempotencyHours + 1])
    forgotten += length
    if (length < rowsAtOnce) return forgotten
  }
}
