-- Locks the next `jobs_max` jobs for a pool of the job queue, as the library's own statement does, apart from named queues, which nothing
-- of ours uses: of the tasks, without those that have one of `flags_past`, the most urgent first. Jobs that are due since before the
-- earliest `since` are not looked for, and the index that has their order is always taken: while a snapshot is open, PostgreSQL would read
-- all jobs that have ended since. Locks: the jobs; one that is locked is left to others.
create or replace function take_jobs(pool text, task_ids integer[], flags_past text[], since timestamptz[], jobs_max integer)
returns setof graphile_worker._private_jobs language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  due_since constant timestamptz := coalesce((select min(each) from unnest(since) as each), '-infinity');
begin
  return query
  with chosen as (
    select job.id from graphile_worker._private_jobs job
      where job.is_available = true and job.run_at >= due_since and job.run_at <= now() and job.task_id = any(task_ids)
        and job.job_queue_id is null and (flags_past is null or (job.flags ?| flags_past) is not true)
      order by job.priority, job.run_at limit jobs_max for update skip locked
  )
  update graphile_worker._private_jobs job set attempts = job.attempts + 1, locked_by = pool, locked_at = now()
    where job.id = any(array(select id from chosen)) returning job.*;
end $$;
