-- Removes the running jobs with these keys, in the transaction that makes them needless. Returns their identifiers: the processes that run
-- them must not complete them later. Locks: the jobs.
create or replace function jobs_remove_running(keys text[]) returns table (job_key text, job_id bigint)
language sql set enable_seqscan = off as $$
  delete from graphile_worker._private_jobs where key = any (keys) and locked_at is not null returning key, id
$$;
