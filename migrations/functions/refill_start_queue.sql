-- Refills the start queue of an owner in a family. Makes the oldest queued start the head when the queue has no head, and queues parked
-- starts at all free ranks. For ranks, heads and parked starts see queue_starts.
-- This repairs a race. While workers take all queued starts, a concurrent transaction that adds a start still sees them in the queue.
-- Without this call, its start would stay parked, or wait behind the heads of all other owners.
create or replace function refill_start_queue(family text, owner text) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  ranks smallint[];
begin
  perform promote_start_head(family, owner);
  ranks := free_start_ranks(family, owner);
  if ranks <> '{}' then
    perform queue_parked_starts(family, owner, ranks);
  end if;
end $$;
