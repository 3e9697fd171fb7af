-- Removes a start from the start queue of its owner and family, and queues the next one of that queue in the same transaction. `taken`: a
-- job has taken the start. Otherwise the generation has ended, and its job is removed too.
-- The oldest queued start becomes the head after a head, and the oldest parked start gets the free rank. So the heads of all owners take
-- turns, and when several slots become free at once, the next starts of the owners do so too. Does nothing when the generation is in no
-- start queue.
-- For the planner settings see queue_starts. Locks: rows of the start queue and jobs; skips locked ones.
create or replace function dequeue_start(generation text, taken boolean) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  dequeued record;
  free_rank smallint;
begin
  delete from waiting_starts where generation_id = generation returning family_id, owner_id, rank into dequeued;
  if not found then
    return;
  end if;
  if not taken then
    perform graphile_worker.complete_jobs(
      array(select id from graphile_worker.jobs where key = 'generation:' || generation and locked_at is null));
  end if;
  if not exists (select from waiting_starts where family_id = dequeued.family_id and owner_id = dequeued.owner_id) then
    if taken then
      insert into owner_turns (family_id, owner_id, served_at) values (dequeued.family_id, dequeued.owner_id, now())
        on conflict (family_id, owner_id) do update set served_at = excluded.served_at;
    end if;
    return;
  end if;
  free_rank := dequeued.rank;
  if free_rank = 1 then
    free_rank := coalesce(promote_start_head(dequeued.family_id, dequeued.owner_id), free_rank);
  end if;
  if free_rank is not null then
    perform queue_parked_starts(dequeued.family_id, dequeued.owner_id, array[free_rank]);
  end if;
end $$;
