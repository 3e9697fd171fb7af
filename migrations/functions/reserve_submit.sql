-- Writes down that a provider is about to be asked, where a limit or a breaker may stand against it.
--   written  it may be asked now
--   waits    it is in line for a slot, without a job: whoever hands it one queues it. Its deadline stands still
--   locked   a breaker of `subjects` keeps it; a slot that it held is given back
--   lost     the work was taken over or ended
-- `families` null: nothing is limited. The rest is as in grant_vendor_slots. Locks: generation, attempt, places in line, breakers.
create or replace function reserve_submit(
  generation text, job_fence integer, subjects text[], lease_seconds integer,
  asked text, provider_at_once integer, provider_per_minute integer, families text[], at_once integer[], per_minute integer[]
) returns text language plpgsql as $$
declare
  family text;
  owner text;
  due timestamptz;
  attempt_now integer;
begin
  select family_id, owner_id, deadline_at, attempt into family, owner, due, attempt_now from generations
    where id = generation and fence = job_fence and finished_at is null for no key update;
  if not found then
    return 'lost';
  end if;
  -- Asked before, and refused: it goes to the line again, of which it is its owner's oldest.
  update vendor_slots s set released_at = present() where s.generation_id = generation and s.released_at is null and s.asked;
  if families is not null and not exists (select from vendor_slots where generation_id = generation and released_at is null) then
    insert into waiting_submits (generation_id, provider, family_id, owner_id, since) values (generation, asked, family, owner, present())
      on conflict do nothing;
    perform grant_vendor_slots(asked, provider_at_once, provider_per_minute, families, at_once, per_minute, lease_seconds, generation);
    if exists (select from waiting_submits where generation_id = generation) then
      update generation_attempts set jobs_begun = 0, time_left = greatest(due - present(), interval '0 seconds')
        where generation_id = generation and number = attempt_now;
      update generations set deadline_at = null where id = generation;
      -- Whoever gave a slot back at this moment did not see it wait.
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
  update generation_attempts set intent_at = coalesce(intent_at, present()) where generation_id = generation and number = attempt_now;
  return 'written';
end $$;
