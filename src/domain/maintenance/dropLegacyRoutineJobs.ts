import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** Releases up to 0.2.0 queued routines as jobs. */
const tasks = ['reconcile', 'prune', 'keepPartitions', 'keepRetention', 'recountLedger']

const drop = statement<{ dropped: number }>(
  'drop_cron_jobs',
  `select count(*)::integer as dropped from graphile_worker.complete_jobs(array(
     select id from graphile_worker.jobs
       where task_identifier = any($1) and locked_at is null and attempts < max_attempts and run_at < now() - interval '1 minute'))`,
)

/** Removes routine jobs that an earlier release queued and did not run: this release has no task for them. Returns how many. */
export async function dropLegacyRoutineJobs({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return (await sql.one(drop, [tasks]))?.dropped ?? 0
}
