import { forEachSettled } from '../../concurrency/forEachConcurrent.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const objectsAtOnce = 500
/** Concurrent deletions, because each one waits for the storage. */
const removalsAtOnce = 16

const note = statement<never>(
  'note_stuck_removals',
  `insert into stuck_removals (storage_key, tries, retry_at)
     select key, 0, present() + interval '10 minutes' from unnest($1::text[]) as key on conflict (storage_key) do nothing`,
)
/** A time more than two days ahead was written by a clock that was wrong, so it is due too. */
const due = statement<{ storageKey: string }>(
  'stuck_removals_due',
  `select storage_key from stuck_removals where retry_at not between present() and present() + interval '2 days'
     order by retry_at limit ${objectsAtOnce}`,
)
const settle = statement<never>(
  'settle_stuck_removals',
  `with deleted as (delete from stuck_removals where storage_key = any($1))
   update stuck_removals set tries = tries + 1,
       retry_at = present() + least(interval '1 day', interval '10 minutes' * 2 ^ least(tries, 10))
     where storage_key = any($2)`,
)

/** Records objects that the storage could not delete, so that they are retried. Nothing else refers to them. */
export async function recordStuckRemovals(context: Context, storageKeys: readonly string[]): Promise<void> {
  await context.sql.all(note, [storageKeys])
}

/**
 * Retries the deletion of recorded objects, with a delay per object that doubles from ten minutes to a day. Ends early when the storage
 * deleted nothing of a page. Returns the number of deleted objects.
 */
export async function retryRemovals(context: Context): Promise<number> {
  let deleted = 0
  for (;;) {
    const keys = (await context.sql.all(due, [])).map(({ storageKey }) => storageKey)
    const { done, failed } = await removeObjects(context, keys)
    await context.sql.all(settle, [done, failed.map(({ item }) => item)])
    deleted += done.length
    if (failed.length > 0)
      context.log.error({ objects: failed.length, error: failed[0]?.error }, 'cannot delete objects from the storage in a retry')
    if (keys.length < objectsAtOnce || done.length === 0) return deleted
  }
}

/** Deletes objects concurrently. A failure does not stop the others. */
export function removeObjects({ storage }: Pick<Context, 'storage'>, storageKeys: readonly string[]) {
  return forEachSettled(storageKeys, removalsAtOnce, (key) => storage.remove(key))
}
