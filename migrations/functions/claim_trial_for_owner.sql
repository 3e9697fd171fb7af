-- Like claim_trial, for a generation of `owner` whose row may not exist yet. The owner of the last failed trial may claim the next one only
-- `yield_seconds` after the end of the lock. By then the waiting work of other owners has asked again.
-- Locks: breakers in the order of subject.
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
