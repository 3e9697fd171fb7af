-- Gives a waiting job another priority. A job that was already due becomes due now, so that it runs after the due jobs that already have
-- this priority. Returns false, and changes nothing, if the job is locked, has run out of attempts, or does not exist.
-- For the planner setting see queue_starts. Locks: the job; skips a locked one.
create or replace function jobs_promote(job_key text, new_priority integer) returns boolean
language plpgsql set enable_seqscan = off as $$
begin
  update graphile_worker._private_jobs set priority = new_priority, run_at = greatest(run_at, now()) where id = (
    select id from graphile_worker._private_jobs where key = job_key and is_available for update skip locked);
  return found;
end $$;
