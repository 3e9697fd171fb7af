import type { StoredFile } from '../../entities/StoredFile.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../queue.ts'
import { statement } from '../sql.ts'
import { findFile, removeUntold } from './fileRows.ts'
import { fail, inspectionKey } from './inspectStoredFile.ts'

const pageSize = 200
/** Longer than any upload to the storage takes: a younger file may just be on its way there. */
const settledMinutes = 15
/** A file that could not be looked at for so long never will be. */
const lookedAtHours = 24
/** A job that its worker has held for so long is taken for lost. */
const heldMinutesMax = 10

const stuck = statement<{ id: string }>(
  'stuck_files',
  `select f.id from files f where f.state = 'processing' and f.created_at < $1
     and (f.created_at < $2 or not exists (select from graphile_worker.jobs j where j.key = 'file:' || f.id
       and (j.locked_at is null or j.locked_at > now() - interval '${heldMinutesMax} minutes') and j.attempts < j.max_attempts))
     order by f.created_at limit ${pageSize}`,
)

/**
 * Mends what a dead process left of an upload: a row without content goes, one with content gets the job that measures it. A file that
 * nobody could look at for a day fails. Returns how many of each. Runs every minute.
 */
export async function reconcileFiles(context: Context): Promise<Record<Mended, number>> {
  const now = context.clock.now().getTime()
  const done: Record<Mended, number> = { removed: 0, requeued: 0, failed: 0 }
  const tooOld = new Date(now - lookedAtHours * 3_600_000)
  for (const { id } of await context.sql.all(stuck, [new Date(now - settledMinutes * 60_000), tooOld])) {
    const file = await findFile(context, id)
    if (file?.state === 'processing') done[await mend(context, file, tooOld)] += 1
  }
  return done
}

type Mended = 'removed' | 'requeued' | 'failed'

async function mend(context: Context, file: StoredFile, tooOld: Date): Promise<Mended> {
  if ((await context.storage.size(file.storageKey)) === undefined) {
    await removeUntold(context, file.id)
    return 'removed'
  }
  if (file.createdAt < tooOld) {
    await fail(context, file, { code: 'internal_error' })
    return 'failed'
  }
  await enqueue(context, 'inspectFile', { fileId: file.id }, { key: inspectionKey(file.id) })
  return 'requeued'
}
