import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'

const rowsAtOnce = 5_000

const oldRecords = statement<{ key: string }>(
  'prune_idempotency',
  `delete from idempotency_records r using (
     select scope, key from idempotency_records where created_at < present() - $1 * interval '1 hour'
       order by created_at limit ${rowsAtOnce} for update skip locked
   ) old where r.scope = old.scope and r.key = old.key returning r.key`,
)

/** Deletes idempotency keys after 24 hours, in batches. Returns their number. Contract: docs/contract.md#idempotency. */
export function pruneIdempotency(context: Context): Promise<number> {
  return runInBatches(rowsAtOnce, async () => (await context.sql.all(oldRecords, [limits.idempotencyHours])).length)
}
