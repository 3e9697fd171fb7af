-- As claim_trial, for a generation of `owner` that need not be there yet. The owner of the last trial that failed yields to all others: it
-- may be the next trial only `yield_seconds` after the lock has run out, which is longer than waiting work stays away after a lock.
-- Locks: breakers, in the order of their subjects.
create or replace function claim_trial_for_owner(
  subjects text[], generation text, lease_seconds integer, owner text
) returns boolean language plpgsql as $$
declare
  yield_seconds constant integer := 10;
begin
  perform from breakers where subject = any (subjects) and locked_until is not null order by subject for no key update;
  if exists (
    select from breakers where subject = any (subjects) and locked_until is not null
      and (locked_until > present()
        or (trial_until > present() and trial_by <> generation)
        or (failed_by = md5(owner) and trial_by is distinct from generation
          and locked_until + yield_seconds * interval '1 second' > present()))
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
