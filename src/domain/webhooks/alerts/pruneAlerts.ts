import type { Context } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'

const batchSize = 2_000
/** An end alerts at most seven days before. */
const keptDays = 30

const old = statement<{ day: string }>(
  'prune_alerts',
  `delete from alerts where ctid = any(array(
     select ctid from alerts where day < utc_day(present()) - ${keptDays} limit ${batchSize} for update skip locked)) returning day`,
)

/** Deletes records of old alerts. Returns their number. Locks: the rows, in batches. */
export function pruneAlerts({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return runInBatches(batchSize, async () => (await sql.all(old, [])).length)
}
