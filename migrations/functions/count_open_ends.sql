-- Trigger: removes a generation that has ended from the count of its owner and family. Does nothing in end_stored_results, which counts
-- all of its generations at once. Locks: the account, then the count, before the key.
create or replace function count_open_ends() returns trigger language plpgsql as $$
begin
  if current_setting('atelier.ends', true) = 'together' then
    return null;
  end if;
  -- The same order as in a start.
  perform from credit_accounts where id = new.account_id for no key update;
  update open_work set open = greatest(open - 1, 0) where owner_id = new.owner_id and family_id = new.family_id;
  return null;
end $$;
