-- outside a transaction
-- Whether anything of a task is due is found by this, however many jobs of others wait: the queue itself reads all of them to find none.
create index concurrently jobs_due_by_task on graphile_worker._private_jobs (task_id, run_at) where is_available = true;
