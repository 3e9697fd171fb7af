-- Makes the oldest queued start of an owner in a family the head of its start queue, when the queue has no head. Returns the rank that this
-- frees; null when nothing changes. Skips a start whose job a worker is about to take: a second job for it would run beside the first.
-- For the planner settings see queue_starts. Locks: rows of the start queue and a job, without waiting.
create or replace function promote_start_head(family text, owner text) returns smallint
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  next record;
  skipped_since timestamptz := '-infinity';
  skipped_id text := '';
begin
  if exists (select from waiting_starts where family_id = family and owner_id = owner and rank = 1) then
    return null;
  end if;
  loop
    select w.generation_id, w.rank, w.since into next from waiting_starts w
      where w.family_id = family and w.owner_id = owner and w.rank is not null and (w.since, w.generation_id) > (skipped_since, skipped_id)
        and exists (select from graphile_worker.jobs j where j.key = 'generation:' || w.generation_id and j.locked_at is null)
      order by w.since, w.generation_id limit 1 for update skip locked;
    if not found then
      return null;
    end if;
    if jobs_promote('generation:' || next.generation_id, 2) then
      update waiting_starts set rank = 1, head_at = now() where generation_id = next.generation_id;
      return next.rank;
    end if;
    skipped_since := next.since;
    skipped_id := next.generation_id;
  end loop;
end $$;
