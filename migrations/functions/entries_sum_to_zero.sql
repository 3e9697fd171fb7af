-- Trigger: the entries of a ledger transaction must sum to zero. Checked once per statement, because one statement inserts all entries of a
-- transaction.
create or replace function entries_sum_to_zero() returns trigger language plpgsql as $$
begin
  if exists (select from new_entries group by transaction_id having sum(credits) <> 0) then
    raise exception 'ledger entries of a transaction must sum to zero' using errcode = 'ATL02';
  end if;
  return null;
end $$;
