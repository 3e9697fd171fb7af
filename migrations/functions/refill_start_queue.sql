-- Queues parked starts of a line as far as it has room, and makes the oldest queued start its head when it has none. A start that comes
-- while all before it are being taken sees these too late: it would stay parked, or behind the heads of all other owners.
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
