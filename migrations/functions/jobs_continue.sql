-- Lets the running job with this key go on with another task: if its process ends, the job runs again as that task. Its flags for new work
-- no longer apply. Returns false, and changes nothing, when no job with this key is running. Locks: the job.
create or replace function jobs_continue(job_key text, next_task text) returns boolean
language plpgsql set enable_seqscan = off as $$
begin
  update graphile_worker._private_jobs job
    set task_id = task.id, locked_at = now(), priority = 0, flags = job.flags - array(select flag from jsonb_object_keys(job.flags) as flag where flag like 'new:%')
    from graphile_worker._private_tasks task
    where job.key = job_key and job.locked_at is not null and task.identifier = next_task;
  return found;
end $$;
