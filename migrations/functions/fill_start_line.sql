-- Queues parked starts of a line as far as it has room. A start that parks work while all that stood before it is being taken sees that
-- too late: nobody is left who would queue it.
create or replace function fill_start_line(family text, owner text) returns void
language plpgsql set enable_seqscan = off as $$
declare
  ranks smallint[] := free_start_ranks(family, owner);
begin
  if ranks <> '{}' then
    perform queue_parked_starts(family, owner, ranks);
  end if;
end $$;
