-- Lets a generation in where `subjects` are locked: as the one trial of each whose time has come. True as well where none is locked.
-- A trial holds its place for `lease_seconds`; one that has come to no end by then gives it up, whatever became of its process.
-- Locks: breakers, in the order of their subjects.
create or replace function claim_trial(subjects text[], generation text, lease_seconds integer) returns boolean language plpgsql as $$
begin
  return claim_trial_for_owner(subjects, generation, lease_seconds, (select owner_id from generations where id = generation));
end $$;
