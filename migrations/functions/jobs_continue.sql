-- Changes the task of the running job with this key. Returns false when no job with this key is running.
-- A job that was locked within the last minute is not changed, which saves the write: if its process ends, the job finds the step by the
-- state of its generation. An older lock is renewed, and the job gets the task and the flag of started work. Locks: the job.
create or replace function jobs_continue(job_key text, next_task text) returns boolean
language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from graphile_worker._private_jobs where key = job_key and locked_at > now() - interval '1 minute') then
    return true;
  end if;
  update graphile_worker._private_jobs job
    set task_id = task.id, locked_at = now(), priority = 0,
        flags = (select jsonb_object_agg(regexp_replace(flag, '^new:', 'family:'), true) from jsonb_object_keys(job.flags) as flag)
    from graphile_worker._private_tasks task
    where job.key = job_key and job.locked_at is not null and task.identifier = next_task;
  return found;
end $$;
