import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const filesAtOnce = 500
/** Their content goes this many side by side, since a storage takes its time over each. */
const removalsAtOnce = 16
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
 * none stays behind without a row. Returns how many.
 */
export async function expireFiles(context: Context): Promise<number> {
  let gone = 0
  for (;;) {
    const files = await context.sql.all(expired, [])
    await removeAll(context, files)
    gone += files.length
    if (files.length < filesAtOnce) return gone
  }
}

/** Rejects when some content could not be removed, once all that could have lost their rows too. */
async function removeAll(context: Context, files: { id: string; storageKey: string }[]): Promise<void> {
  const gone: string[] = []
  const left = files.values()
  const removing = async () => {
    for (const { id, storageKey } of left) {
      await context.storage.remove(storageKey)
      gone.push(id)
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: removalsAtOnce }, removing))
  if (gone.length > 0) await context.sql.all(remove, [gone])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
