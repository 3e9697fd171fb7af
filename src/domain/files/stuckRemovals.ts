import { forEachSettled } from '../../concurrency/forEachSettled.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const objectsAtOnce = 500
/** Objects go this many side by side, since a storage takes its time over each. */
const removalsAtOnce = 16

const note = statement<never>(
  'note_stuck_removals',
  `insert into stuck_removals (storage_key, tries, retry_at)
     select key, 0, present() + interval '10 minutes' from unnest($1::text[]) as key on conflict (storage_key) do nothing`,
)
/** A time that is further away than any pause was noted by a clock that was ahead. */
const due = statement<{ storageKey: string }>(
  'stuck_removals_due',
  `select storage_key from stuck_removals where retry_at not between present() and present() + interval '2 days'
     order by retry_at limit ${objectsAtOnce}`,
)
const settle = statement<never>(
  'settle_stuck_removals',
  `with gone as (delete from stuck_removals where storage_key = any($1))
   update stuck_removals set tries = tries + 1,
       retry_at = present() + least(interval '1 day', interval '10 minutes' * 2 ^ least(tries, 10))
     where storage_key = any($2)`,
)

/** Notes objects that the storage did not remove, so that they are tried again and nothing waits for them. Nothing else names them any more. */
export async function recordStuckRemovals(context: Context, storageKeys: readonly string[]): Promise<void> {
  await context.sql.all(note, [storageKeys])
}

/**
 * Tries again to remove what the storage has refused, each object after a pause that doubles from ten minutes to a day. Ends early when the
 * storage refuses all of a page. Returns how many are gone.
 */
export async function retryRemovals(context: Context): Promise<number> {
  let gone = 0
  for (;;) {
    const keys = (await context.sql.all(due, [])).map(({ storageKey }) => storageKey)
    const { done, failed } = await removeObjects(context, keys)
    await context.sql.all(settle, [done, failed.map(({ item }) => item)])
    gone += done.length
    if (failed.length > 0)
      context.log.error({ objects: failed.length, error: failed[0]?.error }, 'deleted objects could not be removed from the storage again')
    if (keys.length < objectsAtOnce || done.length === 0) return gone
  }
}

/** Removes objects, several side by side. One that fails stops no other. */
export function removeObjects({ storage }: Pick<Context, 'storage'>, storageKeys: readonly string[]) {
  return forEachSettled(storageKeys, removalsAtOnce, (key) => storage.remove(key))
}
