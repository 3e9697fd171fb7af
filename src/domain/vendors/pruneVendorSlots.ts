import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

const rowsAtOnce = 5_000

const oldSlots = statement<{ id: string }>(
  'prune_slots',
  `delete from vendor_slots s using (
     select id from vendor_slots where released_at is not null and taken_at < present() - interval '2 minutes' order by id
       limit ${rowsAtOnce} for update skip locked
   ) old where s.id = old.id returning s.id`,
)

/** Forgets, in batches, slots that were given back and count for no minute any more. Returns how many. */
export function pruneVendorSlots(context: Context): Promise<number> {
  return runInBatches(rowsAtOnce, async () => (await context.sql.all(oldSlots, [])).length)
}
