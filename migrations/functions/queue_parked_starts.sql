-- Queues the oldest parked starts of an owner in a family at the free `ranks`. Skips starts that have a job already. Inserts the jobs as
-- jobs_add does, which it calls only for a start that got a job meanwhile, or for the first job of its task: one statement instead of five.
-- For the planner settings see queue_starts. Locks: rows of the start queue, without waiting; jobs.
create or replace function queue_parked_starts(family text, owner text, ranks smallint[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  new_jobs integer;
  other_jobs graphile_worker.job_spec[];
begin
  with next as materialized (
    select generation_id, since from waiting_starts w
      where family_id = family and owner_id = owner and rank is null
        and not exists (select from graphile_worker._private_jobs j where j.key = 'generation:' || w.generation_id)
      order by since, generation_id limit cardinality(ranks) for update skip locked
  ), ranked as (
    select generation_id, ranks[row_number() over (order by since, generation_id)::integer] as rank from next
  ), queued as (
    update waiting_starts w set rank = ranked.rank, head_at = case when ranked.rank = 1 then now() end from ranked
      where w.generation_id = ranked.generation_id
      returning 'generation:' || w.generation_id as job_key, json_build_object('generationId', w.generation_id) as payload, w.rank + 1 as priority
  ), added as (
    insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, key, priority, flags)
      select task.id, payload, now(), 30000, job_key, priority, jsonb_build_object('new:' || family, true)
        from queued join graphile_worker._private_tasks task on task.identifier = 'submitGeneration'
      on conflict (key) do nothing returning key
  )
  select count(key), array_agg(('submitGeneration', payload, null, null, 30000, job_key, priority, array['new:' || family])
      ::graphile_worker.job_spec) filter (where key is null)
    into new_jobs, other_jobs from queued left join added on key = job_key;
  if other_jobs is not null then
    perform jobs_add(other_jobs);
  end if;
  if new_jobs > 0 then
    perform jobs_announce();
  end if;
end $$;
