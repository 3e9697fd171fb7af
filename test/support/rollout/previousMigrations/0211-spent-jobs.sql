-- outside a transaction
-- Jobs that the queue will never run again: they were superseded while they ran, and their process ended before it could remove them.
create index concurrently jobs_spent on graphile_worker._private_jobs (id) where key is null and attempts >= max_attempts;
