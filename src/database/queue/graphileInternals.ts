/**
 * The only code that names private tables of graphile-worker, with the SQL functions `jobs_…` and `queue_parked_starts` of
 * `migrations/functions`. All other code uses its public functions and its view `jobs`, which has no payload and cannot use the indexes of
 * available jobs.
 * Written for graphile-worker 0.18.0: `graphileInternals.test.ts` fails for another version.
 */

/** Matches the name of the prepared statement that takes jobs; its group is the number of jobs. Values: pool, ids of tasks, flags to skip. */
export const fetchStatementName = /^get_job(\d*)F?\/graphile_worker$/

/** Matches the names of the prepared statements that complete one job, or several. Values: the id or the ids. */
export const completeStatementName = /^complete_jobs?\/graphile_worker$/

/** A job that is added again while it runs loses its key and all further attempts. */
const isOfRun = (attempts: string) => `(job.attempts = ${attempts} or job.key is null and job.attempts = job.max_attempts)`

/** Completes one run of a job in place of the library's statement, while that run holds the lock. Values: id, pool, revision, attempts. */
export const completeJob = {
  name: 'complete_run',
  text: `delete from graphile_worker._private_jobs job where id = $1 and locked_by = $2 and revision = $3 and ${isOfRun('$4')}`,
}

/** The same for several runs. Values: an array of each of the four. */
export const completeJobs = {
  name: 'complete_runs',
  text: `delete from graphile_worker._private_jobs job using unnest($1::bigint[], $2::text[], $3::integer[], $4::integer[]) as run (id, pool, revision, attempts)
    where job.id = run.id and job.locked_by = run.pool and job.revision = run.revision and ${isOfRun('run.attempts')}`,
}

/** Takes jobs in place of that statement. Values: pool, ids of tasks, flags to skip, due since, number of jobs. */
export const takeJobs = { name: 'take_jobs', text: 'select * from jobs_take($1, $2, $3, $4, $5)' }

/** Counts due jobs. Values: tasks, due since (one each), the largest count. */
export const dueJobs = {
  name: 'due_jobs',
  text: 'select task, due, next_milliseconds as "nextMilliseconds", gone_before::text as "goneBefore" from jobs_due($1, $2, $3)',
}

/** The tasks of $1 that have a job due for more than $2 seconds. Reads one index entry a task. */
export const lateTasks = {
  name: 'late_tasks',
  text: `select t.identifier as task from graphile_worker._private_tasks t
     where t.identifier = any($1) and exists (
       select from graphile_worker._private_jobs j
         where j.task_id = t.id and j.is_available and j.run_at < now() - $2 * interval '1 second')`,
}

/**
 * Unlocks the jobs of the worker pools $1 that were locked more than $3 milliseconds ago, except those with the ids $2.
 * `force_unlock_workers` unlocks all jobs of a pool, also those that run.
 */
export const unlockJobsExcept = `update graphile_worker._private_jobs set locked_at = null, locked_by = null
  where locked_by = any($1) and locked_at < now() - $3::float8 * interval '1 millisecond' and id <> all($2::bigint[]) returning id`

/** All jobs that can still run, for a backup: task, payload, due time, attempts allowed, key, priority, flags. */
export const jobsToBackUp = `select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority,
    case when j.flags is null then null else array(select jsonb_object_keys(j.flags)) end
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where j.attempts < j.max_attempts`
