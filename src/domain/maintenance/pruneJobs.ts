import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

const jobsAtOnce = 1000

const removeSpent = statement<{ removed: number }>(
  'remove_spent_jobs',
  `select count(*)::integer as removed from graphile_worker.complete_jobs(array(
     select id from graphile_worker.jobs where key is null and attempts >= max_attempts and locked_at is null order by id limit $1))`,
)

/**
 * Removes unlocked jobs that have no key and no attempts left; returns how many. graphile-worker marks a running job so when a newer job
 * takes its key, and never deletes the row if the process ends before the job.
 */
export function pruneJobs({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return runInBatches(jobsAtOnce, async () => (await sql.one(removeSpent, [jobsAtOnce]))?.removed ?? 0)
}
