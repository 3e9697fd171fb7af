-- Queues jobs as graphile_worker.add_jobs does, for jobs without a named queue, and returns how many it added or changed. A running job
-- with the key of a new one loses that key and all further attempts. For the notice see jobs_announce.
-- Locks: the jobs, in the order of `specs`.
create or replace function jobs_add(specs graphile_worker.job_spec[], keeps_run_at boolean default false) returns integer
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  added integer;
begin
  insert into graphile_worker._private_tasks (identifier)
    select distinct identifier from unnest(specs) as spec
      where not exists (select from graphile_worker._private_tasks t where t.identifier = spec.identifier)
    on conflict do nothing;
  update graphile_worker._private_jobs set key = null, attempts = max_attempts, updated_at = now()
    where key = any (array(select job_key from unnest(specs) as spec where job_key is not null)) and not is_available;
  insert into graphile_worker._private_jobs as job (task_id, payload, run_at, max_attempts, key, priority, flags)
    select t.id, coalesce(spec.payload, '{}'), coalesce(spec.run_at, now()), coalesce(spec.max_attempts, 25), spec.job_key,
        coalesce(spec.priority, 0), (select jsonb_object_agg(flag, true) from unnest(spec.flags) as flag)
      from unnest(specs) with ordinality as spec (identifier, payload, queue_name, run_at, max_attempts, job_key, priority, flags, place)
        join graphile_worker._private_tasks t on t.identifier = spec.identifier
      order by spec.place
    on conflict (key) do update set
      task_id = excluded.task_id, payload = excluded.payload, max_attempts = excluded.max_attempts,
      run_at = case when keeps_run_at and job.attempts = 0 then job.run_at else excluded.run_at end,
      priority = excluded.priority, flags = excluded.flags, revision = job.revision + 1, attempts = 0, last_error = null, updated_at = now()
      where job.locked_at is null;
  get diagnostics added = row_count;
  if added > 0 then
    perform jobs_announce();
  end if;
  return added;
end $$;
