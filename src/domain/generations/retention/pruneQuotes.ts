import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { type Statement, statement } from '../../sql.ts'

const rowsAtOnce = 5_000

const deleted = (which: string) =>
  `delete from quotes q using (
     select id from quotes u where ${which} order by created_at limit ${rowsAtOnce} for update skip locked
   ) old where q.id = old.id returning q.id`

const oldQuotes = statement<{ id: string }>('prune_quotes', deleted(`created_at < present() - $1 * interval '1 hour'`))

/** Searches only the quotes of one hour, so that used quotes are not read again for a day. */
const unusedQuotes = statement<{ id: string }>(
  'prune_unused_quotes',
  deleted(
    `created_at < present() - interval '1 hour' and created_at >= present() - interval '2 hours'
       and not exists (select from idempotency_records r where r.scope = 'quote:' || u.holder_id and r.key = u.id)`,
  ),
)

/**
 * Deletes quotes in batches: unused ones after an hour, since agents request many, and used ones an hour after the idempotency keys of
 * their time. After its idempotency key is deleted a start could be repeated, but not with a quote that has long expired. Returns their
 * number. Contract: docs/contract.md#quotes.
 */
export async function pruneQuotes(context: Context): Promise<number> {
  return (await deleteBatches(context, oldQuotes, [limits.idempotencyHours + 1])) + (await deleteBatches(context, unusedQuotes, []))
}

function deleteBatches(context: Context, which: Statement<{ id: string }>, values: unknown[]): Promise<number> {
  return runInBatches(rowsAtOnce, async () => (await context.sql.all(which, values)).length)
}
