-- Counts generations that begin, by their owners and families. Locks: those counts, in order, which starts hold already.
create or replace function count_open_starts() returns trigger language plpgsql as $$
begin
  insert into open_work as w (owner_id, family_id, open)
    select owner_id, family_id, count(*) from started where finished_at is null group by owner_id, family_id order by owner_id, family_id
    on conflict (owner_id, family_id) do update set open = w.open + excluded.open;
  return null;
end $$;
