import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

const batchSize = 5_000

const oldSlots = statement<{ id: string }>(
  'prune_slots',
  `delete from vendor_slots s using (
     select id from vendor_slots where released_at is not null and taken_at < present() - interval '2 minutes' order by id
       limit ${batchSize} for update skip locked
   ) old where s.id = old.id returning s.id`,
)

/** Deletes, in batches, released slots that no longer count for the minute limit. Returns their number. */
export function pruneVendorSlots(context: Context): Promise<number> {
  return runInBatches(batchSize, async () => (await context.sql.all(oldSlots, [])).length)
}
