-- Takes a start out of its line and queues the next one of that line in the same transaction. `taken`: by a job; else it has ended, and its
-- job goes with it. The oldest of the line that is queued follows a head, and the oldest that is parked gets the rank that this leaves: so
-- the heads of all owners take turns, and with several slots free at once their second ones do as well.
-- Does nothing where the work stands in no line. Of plans see queue_starts. Locks: rows of the line and jobs that nobody else holds.
create or replace function dequeue_start(generation text, taken boolean) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  gone record;
  freed smallint;
begin
  delete from waiting_starts where generation_id = generation returning family_id, owner_id, rank into gone;
  if not found then
    return;
  end if;
  if not taken then
    perform graphile_worker.complete_jobs(
      array(select id from graphile_worker.jobs where key = 'generation:' || generation and locked_at is null));
  end if;
  if not exists (select from waiting_starts where family_id = gone.family_id and owner_id = gone.owner_id) then
    if taken then
      insert into owner_turns (family_id, owner_id, served_at) values (gone.family_id, gone.owner_id, now())
        on conflict (family_id, owner_id) do update set served_at = excluded.served_at;
    end if;
    return;
  end if;
  freed := gone.rank;
  if freed = 1 then
    freed := coalesce(promote_start_head(gone.family_id, gone.owner_id), freed);
  end if;
  if freed is not null then
    perform queue_parked_starts(gone.family_id, gone.owner_id, array[freed]);
  end if;
end $$;
