-- Makes a job that `pool` runs wait for its next run, as a new job would. The process that runs it must not complete it. Does the same with
-- a job that a repeated call has released. Returns the job; null, and changes nothing, when another worker has taken it. Locks: the job.
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
    perform pg_notify('jobs:insert', '{"count":1}');
  end if;
  return released;
end $$;
