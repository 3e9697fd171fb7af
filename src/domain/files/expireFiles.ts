import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { recordStuckRemovals, removeObjects } from './stuckRemovals.ts'

const filesAtOnce = 500
/** A request that found a file just before its time was over gets this long to put that off. */
const graceMinutes = 60

const expired = statement<{ id: string; storageKey: string }>(
  'expired_files',
  `select f.id, f.storage_key from files f where f.expires_at < present() - interval '${graceMinutes} minutes'
       and not exists (select from inputs_in_use u where u.input_id = f.id)
     order by f.expires_at limit ${filesAtOnce}`,
)

const remove = statement<never>(
  'remove_expired',
  `delete from files where id = any($1) and expires_at < present() - interval '${graceMinutes} minutes'`,
)

/**
 * Removes files whose time is over, with their content; never one that a generation under way uses. The content goes first, so that
 * none stays behind without a row. Content that the storage does not remove is tried again by itself, see {@link recordStuckRemovals}, so
 * that it stops no other file. Returns how many files are gone. Rejects when the storage removed nothing of a page.
 */
export async function expireFiles(context: Context): Promise<number> {
  let gone = 0
  for (;;) {
    const files = await context.sql.all(expired, [])
    const { done, failed } = await removeObjects(
      context,
      files.map(({ storageKey }) => storageKey),
    )
    if (failed.length > 0)
      await recordStuckRemovals(
        context,
        failed.map(({ item }) => item),
      )
    await context.sql.all(remove, [files.map(({ id }) => id)])
    gone += files.length
    const [first] = failed
    if (first && done.length === 0) throw first.error
    if (first) context.log.error({ objects: failed.length, error: first.error }, 'expired content could not be removed from the storage')
    if (files.length < filesAtOnce) return gone
  }
}
