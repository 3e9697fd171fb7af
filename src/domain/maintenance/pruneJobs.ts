import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

const jobsAtOnce = 1000

const removeSpent = statement<{ id: string }>(
  'remove_spent_jobs',
  `delete from graphile_worker._private_jobs where id in (
     select id from graphile_worker._private_jobs where key is null and attempts >= max_attempts and locked_at is null
       order by id limit $1 for update skip locked)
     returning id`,
)

/**
 * Removes jobs without a key that have used up their attempts. The queue marks a running job so when a newer one takes its key, and keeps
 * the row for ever when the process ends before the job does. Returns how many were removed.
 */
export function pruneJobs({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return runInBatches(jobsAtOnce, async () => (await sql.all(removeSpent, [jobsAtOnce])).length)
}
