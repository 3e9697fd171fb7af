-- Takes a generation that has just ended out of the count of its owner and family. Locks: the count, before account and key.
create or replace function count_open_ends() returns trigger language plpgsql as $$
begin
  update open_work set open = greatest(open - 1, 0) where owner_id = new.owner_id and family_id = new.family_id;
  return null;
end $$;
