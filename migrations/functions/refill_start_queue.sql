-- Queues parked starts of an owner in a family at all free ranks, and makes the oldest queued start the head when there is none. A start
-- that arrives while all starts before it are being taken does not see that. Without this call it would stay parked, or wait behind the
-- heads of all other owners.
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
