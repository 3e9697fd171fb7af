-- Judged per statement: the entries of a transaction are always inserted by one.
create or replace function entries_sum_to_zero() returns trigger language plpgsql as $$
begin
  if exists (select from new_entries group by transaction_id having sum(credits) <> 0) then
    raise exception 'ledger entries of a transaction must sum to zero' using errcode = 'ATL02';
  end if;
  return null;
end $$;
