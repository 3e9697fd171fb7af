-- Queues the oldest parked starts of an owner in a family at the free `ranks`. Skips starts that have a job already. For the planner
-- settings see queue_starts. Locks: rows of the start queue, without waiting; jobs.
create or replace function queue_parked_starts(family text, owner text, ranks smallint[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  jobs graphile_worker.job_spec[];
begin
  with next as materialized (
    select generation_id, since from waiting_starts w
      where family_id = family and owner_id = owner and rank is null
        and not exists (select from graphile_worker.jobs j where j.key = 'generation:' || w.generation_id)
      order by since, generation_id limit cardinality(ranks) for update skip locked
  ), ranked as (
    select generation_id, ranks[row_number() over (order by since, generation_id)::integer] as rank from next
  ), queued as (
    update waiting_starts w set rank = ranked.rank, head_at = case when ranked.rank = 1 then now() end from ranked where w.generation_id = ranked.generation_id
      returning w.generation_id, w.rank
  )
  select array_agg(('submitGeneration', json_build_object('generationId', generation_id), null, null, 30000, 'generation:' || generation_id,
      rank + 1, array['new:' || family])::graphile_worker.job_spec) into jobs from queued;
  if jobs is not null then
    perform jobs_add(jobs);
  end if;
end $$;
