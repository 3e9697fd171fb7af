-- Unlocks a job that the worker pool `pool` runs, and schedules it for `due_at` as if it were new. Afterwards the process that runs the job
-- must not complete it, since this would delete the scheduled job. A repeated call finds the job unlocked and schedules it again.
-- Returns the job. Returns null, and changes nothing, when another worker pool has locked the job or when it no longer exists.
-- For the notice see jobs_announce. Locks: the job.
create or replace function jobs_release(
  job bigint, pool text, job_key text, next_task text, new_payload json, due_at timestamptz, new_flags text[]
) returns bigint language plpgsql as $$
declare
  released bigint;
begin
  update graphile_worker._private_jobs set locked_by = null, locked_at = null, task_id = task.id, payload = new_payload, run_at = due_at,
      priority = 0, attempts = 0, last_error = null, revision = revision + 1, updated_at = now(),
      flags = (select jsonb_object_agg(flag, true) from unnest(new_flags) as flag)
    from graphile_worker._private_tasks task
    where _private_jobs.id = job and key = job_key and (locked_by is null or locked_by = pool) and task.identifier = next_task
    returning _private_jobs.id into released;
  if found then
    perform jobs_announce();
  end if;
  return released;
end $$;
