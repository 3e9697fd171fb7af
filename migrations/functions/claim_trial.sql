-- Claims the trial of each open breaker among `subjects` for a generation, for `lease_seconds`. Returns true when none of them is open, or
-- all trials were claimed. Returns false while a breaker is locked, or another generation is its trial. The end of the lease frees the
-- trial, also when its process has crashed.
-- Locks: breakers in the order of subject.
create or replace function claim_trial(subjects text[], generation text, lease_seconds integer) returns boolean language plpgsql as $$
begin
  return claim_trial_for_owner(subjects, generation, lease_seconds, (select owner_id from generations where id = generation));
end $$;
