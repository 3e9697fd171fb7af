import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { recordStuckRemovals, removeObjects } from './stuckRemovals.ts'

const filesAtOnce = 500
/** A request that found a file just before its expiry has this long to extend it. */
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
 * Deletes expired files with their content, except inputs of unfinished generations. The content is deleted first, so that none stays
 * behind without a row. Content that the storage cannot delete is retried separately, see {@link recordStuckRemovals}, and blocks no
 * other file.
 * Returns the number of deleted files. Rejects when the storage deleted nothing of a page.
 */
export async function expireFiles(context: Context): Promise<number> {
  let deleted = 0
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
    deleted += files.length
    const [first] = failed
    if (first && done.length === 0) throw first.error
    if (first) context.log.error({ objects: failed.length, error: first.error }, 'cannot delete expired content from the storage')
    if (files.length < filesAtOnce) return deleted
  }
}
