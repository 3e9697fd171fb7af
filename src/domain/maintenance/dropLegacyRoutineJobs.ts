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

/**
 * Removes the jobs of routines that a process of an earlier release queued and nobody took before it stopped: no process of this release
 * runs them. Returns how many.
 */
export async function dropLegacyRoutineJobs({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return (await sql.one(drop, [tasks]))?.dropped ?? 0
}
