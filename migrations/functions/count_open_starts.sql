-- Trigger: adds new generations to the count of their owner and family, except those without an account, which the editor ends. Locks: the
-- counts in the order of owner and family, after the accounts.
create or replace function count_open_starts() returns trigger language plpgsql as $$
begin
  insert into open_work as w (owner_id, family_id, open)
    select owner_id, family_id, count(*) from started where finished_at is null and account_id is not null
      group by owner_id, family_id order by owner_id, family_id
    on conflict (owner_id, family_id) do update set open = w.open + excluded.open;
  return null;
end $$;
