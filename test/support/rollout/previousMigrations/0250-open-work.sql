-- How many generations of an owner are open in a family. A start is refused by it: counting the generations themselves would read all
-- that wait, and all that vacuum has not cleared away yet. Generations without an account are not counted: the editor ends them, or never.
create table open_work (
  owner_id text not null,
  family_id text not null,
  open integer not null,
  primary key (owner_id, family_id)
) with (fillfactor = 50);

-- Kept up in functions/. They are whole here already, since work begins and ends before the functions are applied.
create function count_open_starts() returns trigger language plpgsql as $$
begin
  insert into open_work as w (owner_id, family_id, open)
    select owner_id, family_id, count(*) from started where finished_at is null and account_id is not null
      group by owner_id, family_id order by owner_id, family_id
    on conflict (owner_id, family_id) do update set open = w.open + excluded.open;
  return null;
end $$;
create function count_open_ends() returns trigger language plpgsql as $$
begin
  -- A start locks the account before the count too.
  perform from credit_accounts where id = new.account_id for no key update;
  update open_work set open = greatest(open - 1, 0) where owner_id = new.owner_id and family_id = new.family_id;
  return null;
end $$;
create trigger count_open_starts after insert on generations referencing new table as started for each statement
  execute function count_open_starts();
create trigger count_open_ends after update of finished_at on generations for each row
  when (old.finished_at is null and new.finished_at is not null and new.account_id is not null) execute function count_open_ends();

-- The triggers let nobody write until this is committed.
insert into open_work (owner_id, family_id, open)
  select owner_id, family_id, count(*) from generations where finished_at is null and account_id is not null group by owner_id, family_id;
