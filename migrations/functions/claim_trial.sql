-- Lets a generation in where `subjects` are locked: as the one trial of each whose time has come. True as well where none is locked.
-- A trial holds its place for `lease_seconds`; one that has come to no end by then gives it up, whatever became of its process.
-- Locks: breakers, in the order of their subjects.
create or replace function claim_trial(subjects text[], generation text, lease_seconds integer) returns boolean language plpgsql as $$
begin
  perform from breakers where subject = any (subjects) and locked_until is not null order by subject for no key update;
  if exists (
    select from breakers where subject = any (subjects)
      and (locked_until > present() or (locked_until is not null and trial_until > present() and trial_by <> generation))
  ) then
    return false;
  end if;
  update breakers set trial_by = generation, trial_until = present() + lease_seconds * interval '1 second'
    where subject = any (subjects) and locked_until is not null;
  if found then
    perform pg_notify('catalog', 'breakers');
  end if;
  return true;
end $$;
