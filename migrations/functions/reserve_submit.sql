-- Records the intent to submit a generation, where a limit or a breaker may refuse it. Returns a verdict:
--   written  the vendor may be asked now
--   waits    the generation waits for a slot, without a job: grant_vendor_slots queues it; its deadline is suspended
--   locked   a breaker of `subjects` is locked; the slot of the generation is released
--   lost     another job took the generation over, or it has ended
-- `families` null: no limits. `asked` is the provider. The other parameters are those of grant_vendor_slots. Locks: generation, attempt,
-- waiting submits, breakers.
create or replace function reserve_submit(
  generation text, job_fence integer, subjects text[], lease_seconds integer,
  asked text, provider_at_once integer, provider_per_minute integer, families text[], at_once integer[], per_minute integer[]
) returns text language plpgsql as $$
declare
  family text;
  owner text;
  deadline timestamptz;
  current_attempt integer;
begin
  select family_id, owner_id, deadline_at, attempt into family, owner, deadline, current_attempt from generations
    where id = generation and fence = job_fence and finished_at is null for no key update;
  if not found then
    return 'lost';
  end if;
  -- The vendor refused an earlier submit: the generation needs another slot. It is the oldest of its owner.
  update vendor_slots s set released_at = present() where s.generation_id = generation and s.released_at is null and s.asked;
  if families is not null and not exists (select from vendor_slots where generation_id = generation and released_at is null) then
    insert into waiting_submits (generation_id, provider, family_id, owner_id, since) values (generation, asked, family, owner, present())
      on conflict do nothing;
    perform grant_vendor_slots(asked, provider_at_once, provider_per_minute, families, at_once, per_minute, lease_seconds, generation);
    if exists (select from waiting_submits where generation_id = generation) then
      update generation_attempts set jobs_begun = 0, time_left = greatest(deadline - present(), interval '0 seconds')
        where generation_id = generation and number = current_attempt;
      update generations set deadline_at = null where id = generation;
      -- A transaction that releases a slot at this moment does not see the waiting submit.
      perform graphile_worker.add_job('handSlotsOn', json_build_object('providerId', asked),
        run_at => now() + interval '1 second', job_key => 'slots soon:' || asked, job_key_mode => 'preserve_run_at');
      return 'waits';
    end if;
  end if;
  if not claim_trial(subjects, generation, lease_seconds) then
    perform release_vendor_slot(generation);
    return 'locked';
  end if;
  update vendor_slots set asked = true where generation_id = generation and released_at is null;
  update generation_attempts set intent_at = coalesce(intent_at, present()) where generation_id = generation and number = current_attempt;
  return 'written';
end $$;
