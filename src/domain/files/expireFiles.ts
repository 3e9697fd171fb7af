import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** Files of one run, so that no run takes long. */
const pageSize = 500
/** A request that found a file just before its time was over gets this long to put that off. */
const graceMinutes = 60

const expired = statement<{ id: string; storageKey: string }>(
  'expired_files',
  `select f.id, f.storage_key from files f where f.expires_at < $1
     and not exists (select from generations g where g.finished_at is null and g.owner_id = f.owner_id
       and (g.inputs->'imageIds' ? f.id or g.inputs->'videoIds' ? f.id or g.inputs->'audioIds' ? f.id or g.inputs->'model3dIds' ? f.id))
     order by f.expires_at limit ${pageSize}`,
)

const remove = statement<never>('remove_expired', 'delete from files where id = any($1) and expires_at < $2')

/**
 * Removes files whose time is over, with their content; never one that a generation under way uses. The content goes first, so that
 * none stays behind without a row. Returns how many.
 */
export async function expireFiles(context: Context): Promise<number> {
  const before = new Date(context.clock.now().getTime() - graceMinutes * 60_000)
  const files = await context.sql.all(expired, [before])
  const gone: string[] = []
  try {
    for (const { id, storageKey } of files) {
      await context.storage.remove(storageKey)
      gone.push(id)
    }
  } finally {
    if (gone.length > 0) await context.sql.all(remove, [gone, before])
  }
  return gone.length
}
