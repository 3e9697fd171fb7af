-- Makes the oldest queued start of a line its head when it has none, and returns the rank that this frees; null when nothing changes. One
-- that a job is about to take is passed over: a second job for it would run beside that one. Of plans see queue_starts.
-- Locks: rows of the line that nobody else holds; a job.
create or replace function lead_start_line(family text, owner text) returns smallint
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  next record;
begin
  if exists (select from waiting_starts where family_id = family and owner_id = owner and rank = 1) then
    return null;
  end if;
  select w.generation_id, w.rank, j.id as job_id into next
    from waiting_starts w join graphile_worker._private_jobs j on j.key = 'generation:' || w.generation_id
    where w.family_id = family and w.owner_id = owner and w.rank is not null and j.is_available
    order by w.since, w.generation_id limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  update waiting_starts set rank = 1, head_at = now() where generation_id = next.generation_id;
  update graphile_worker._private_jobs set priority = 2, run_at = greatest(run_at, now()) where id = next.job_id;
  return next.rank;
end $$;
