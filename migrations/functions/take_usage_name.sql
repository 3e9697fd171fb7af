-- Counts a name of metadata that has no usage on this day yet. Returns false, and changes nothing, when the owner already has `names_max`
-- names on this day. The caller holds the lock of the account, and calls this once for each new name. Locks: the count of the owner.
create or replace function take_usage_name(account text, owner text, today date) returns boolean language plpgsql as $$
declare
  names_max constant integer := 50;
begin
  -- An end of the day before that commits after midnight counts towards the new day. Any later day is of a clock that was ahead.
  insert into usage_label_names as n (account_id, owner_id, day, names) values (account, owner, today, 1)
    on conflict on constraint usage_label_names_once do update set
      day = case when n.day in (excluded.day, excluded.day + 1) then n.day else excluded.day end,
      names = case when n.day in (excluded.day, excluded.day + 1) then n.names + 1 else 1 end
      where n.day not in (excluded.day, excluded.day + 1) or n.names < names_max;
  return found;
end $$;
