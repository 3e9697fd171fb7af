-- Queues the oldest parked starts of a line at the ranks that are free. What has a job already, since a release without lines queued it,
-- is left to that job. Of plans see queue_starts. Locks: rows of the line that nobody else holds; jobs.
create or replace function queue_parked_starts(family text, owner text, ranks smallint[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  jobs graphile_worker.job_spec[];
begin
  with next as materialized (
    select generation_id, since from waiting_starts w
      where family_id = family and owner_id = owner and rank is null
        and not exists (select from graphile_worker._private_jobs j where j.key = 'generation:' || w.generation_id)
      order by since, generation_id limit cardinality(ranks) for update skip locked
  ), placed as (
    select generation_id, ranks[row_number() over (order by since, generation_id)::integer] as rank from next
  ), queued as (
    update waiting_starts w set rank = placed.rank, head_at = case when placed.rank = 1 then now() end from placed where w.generation_id = placed.generation_id
      returning w.generation_id, w.rank
  )
  select array_agg(('submitGeneration', json_build_object('generationId', generation_id), null, null, 30000, 'generation:' || generation_id,
      rank + 1, array['family:' || family, 'new:' || family])::graphile_worker.job_spec) into jobs from queued;
  if jobs is not null then
    perform graphile_worker.add_jobs(jobs);
  end if;
end $$;
