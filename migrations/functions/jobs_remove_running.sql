-- Deletes the running jobs with these keys, in the transaction that ends their work. Returns their identifiers: the worker must not
-- complete these jobs later, because they exist again after a failover. The setting forces an index, see queue_starts. Locks: the jobs.
create or replace function jobs_remove_running(keys text[]) returns table (job_key text, job_id bigint)
language sql set enable_seqscan = off as $$
  delete from graphile_worker._private_jobs where key = any (keys) and locked_at is not null returning key, id
$$;
