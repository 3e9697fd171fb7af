-- Makes the waiting jobs with these keys due at `due_at`; a job that is due before that keeps its time.
-- Unlike graphile_worker.reschedule_jobs, this never delays a job that another transaction has brought forward. Locks: the jobs.
create or replace function jobs_bring_forward(keys text[], due_at timestamptz) returns void language sql as $$
  update graphile_worker._private_jobs set run_at = due_at where key = any(keys) and locked_at is null and run_at > due_at
$$;
