import { Refusal } from '../../contract/refusals/refusals.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../queue.ts'
import { statement } from '../sql.ts'
import { deleteProcessingFile, findFile } from './fileRows.ts'
import { failFile, inspectionKey } from './inspectStoredFile.ts'

const pageSize = 1_000
/** Limits of one run. Failed repairs have their own limit, so that they do not block others. */
const repairsMax = 1_000
const repairFailuresMax = 100
/** Longer than any upload to the storage. A younger file may still be uploading. */
const uploadGraceMinutes = 15
/** A file that could not be inspected for this long fails. */
const inspectionDeadlineHours = 24
/** A job locked by its worker for this long counts as lost. */
const heldMinutesMax = 10

type Unmeasured = { id: string; createdAt: string; isStuck: boolean }

/** A page of unmeasured files by age and identifier. Returns the stuck ones and the last one, after which the next page begins. */
const unmeasured = statement<Unmeasured>(
  'stuck_files',
  `with page as (
     select id, created_at from files
       where state = 'processing' and created_at < $1 and created_at >= $3::timestamptz and (created_at, id) > ($3::timestamptz, $4)
       order by created_at, id limit ${pageSize}
   ), classified as (
     select page.*, row_number() over (order by created_at desc, id desc) = 1 as is_last,
         created_at < $2 or not exists (select from graphile_worker.jobs j where j.key = 'file:' || page.id
           and (j.locked_at is null or j.locked_at > now() - interval '${heldMinutesMax} minutes') and j.attempts < j.max_attempts) as is_stuck
       from page
   )
   select id, created_at::text as created_at, is_stuck from classified where is_stuck or is_last order by created_at, id`,
)

/**
 * Repairs uploads that a crash interrupted. A row without content is deleted; a row with content gets its inspection job. A file that
 * could not be inspected for a day fails. A file that cannot be repaired is logged and blocks no other. Returns the counts. Runs every
 * minute.
 */
export async function reconcileFiles(context: Context): Promise<Record<RepairOutcome, number>> {
  const now = context.clock.now().getTime()
  const done: Record<RepairOutcome, number> = { removed: 0, requeued: 0, failed: 0 }
  let broken = 0
  const [settledBefore, tooOld] = [new Date(now - uploadGraceMinutes * 60_000), new Date(now - inspectionDeadlineHours * 3_600_000)]
  for (let after = ['-infinity', '']; ; ) {
    const page = await context.sql.all(unmeasured, [settledBefore, tooOld, ...after])
    for (const { id } of page.filter(({ isStuck }) => isStuck)) {
      if (done.removed + done.requeued + done.failed >= repairsMax || broken >= repairFailuresMax) return done
      const outcome = await repairOrLog(context, id, tooOld)
      if (outcome === 'broken') broken += 1
      else if (outcome) done[outcome] += 1
    }
    const last = page.at(-1)
    if (!last) return done
    after = [last.createdAt, last.id]
  }
}

async function repairOrLog(context: Context, id: string, tooOld: Date): Promise<RepairOutcome | 'broken' | undefined> {
  try {
    const file = await findFile(context, id)
    return file?.state === 'processing' ? await repair(context, file, tooOld) : undefined
  } catch (error) {
    // The database is unavailable: stop the run.
    if (error instanceof Refusal) throw error
    context.log.error({ fileId: id, error }, 'cannot repair a file without an inspection job')
    return 'broken'
  }
}

type RepairOutcome = 'removed' | 'requeued' | 'failed'

async function repair(context: Context, file: StoredFile, tooOld: Date): Promise<RepairOutcome> {
  const isTooOld = file.createdAt < tooOld
  if (!(await isStored(context, file, isTooOld))) {
    await deleteProcessingFile(context, file.id)
    return 'removed'
  }
  if (isTooOld) {
    await failFile(context, file, { code: 'internal_error' })
    return 'failed'
  }
  await enqueue(context, 'inspectFile', { fileId: file.id }, { key: inspectionKey(file.id) })
  return 'requeued'
}

/** When the storage gives no answer for a day, the file counts as stored, so that it can fail. */
async function isStored({ storage }: Context, { storageKey }: StoredFile, isTooOld: boolean): Promise<boolean> {
  try {
    return (await storage.size(storageKey)) !== undefined
  } catch (error) {
    if (isTooOld) return true
    throw error
  }
}
