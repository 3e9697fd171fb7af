-- Grants the free slots of a provider (`vendor`) to waiting generations; for their order see next_waiting_submit. `at_once` and
-- `per_minute` are the limits of each of `families`, in the same order; `provider_at_once` and `provider_per_minute` are those of the
-- provider. Null means no limit. Queues a submit job for each generation that gets a slot, except for `self`: its job makes this call.
-- A family or provider with an open breaker gets no slots until the breaker's `locked_until`, and then one slot, for a trial.
-- If generations still wait, and the end of a minute or of a breaker's lock may free slots, a job handSlotsOn runs at that time.
-- The rate ignores a slot whose `taken_at` is more than a minute in the future: the clock was set back after it was taken.
-- An advisory lock serialises the calls for all providers, because several providers can share a family and its limits.
-- Locks: breakers in the order of subject, waiting submits.
create or replace function grant_vendor_slots(
  vendor text, provider_at_once integer, provider_per_minute integer,
  families text[], at_once integer[], per_minute integer[], lease_seconds integer, self text
) returns void language plpgsql as $$
declare
  minute constant interval := interval '1 minute';
  granted_max constant integer := 100;
  free_slots integer;
  skipped_families text[] := '{}';
  chosen record;
  owner text;
  subjects text[];
  next_at timestamptz;
  granted integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('atelier.vendor_slots'));
  free_slots := least(
    granted_max + 1,
    provider_at_once - (select count(*) from vendor_slots where provider = vendor and released_at is null),
    provider_per_minute - (
      select count(*) from vendor_slots where provider = vendor and taken_at > present() - minute and taken_at <= present() + minute)
  );
  -- Locks all breakers before the first call of claim_trial, in the same order as record_breaker_outcome.
  perform from breakers
    where locked_until is not null and subject in (select 'vendor:' || vendor union all select 'family:' || family from unnest(families) as family)
    order by subject for no key update;
  while free_slots > 0 and granted < granted_max loop
    select w.generation_id, f.family into chosen
      from unnest(families, at_once, per_minute) as f (family, at_once, per_minute)
      cross join lateral next_waiting_submit(vendor, f.family) as w
      where w.generation_id is not null and f.family <> all (skipped_families)
        and (f.at_once is null or f.at_once > (select count(*) from vendor_slots where family_id = f.family and released_at is null))
        and (f.per_minute is null
          or f.per_minute > (
            select count(*) from vendor_slots where family_id = f.family and taken_at > present() - minute and taken_at <= present() + minute))
      order by w.held, w.served nulls first, w.since, w.generation_id limit 1;
    exit when not found;
    -- A fallback ignores the breaker of its family, because that breaker is about the variant that the fallback replaces.
    subjects := array['vendor:' || vendor];
    if not exists (select from generations where id = chosen.generation_id and fallback_model_id is not null) then
      subjects := array['family:' || chosen.family] || subjects;
    end if;
    if not claim_trial(subjects, chosen.generation_id, lease_seconds) then
      skipped_families := skipped_families || chosen.family;
      continue;
    end if;
    delete from waiting_submits where generation_id = chosen.generation_id returning owner_id into owner;
    if found then
      insert into vendor_slots (generation_id, provider, family_id, owner_id, taken_at)
        values (chosen.generation_id, vendor, chosen.family, owner, present());
      free_slots := free_slots - 1;
      granted := granted + 1;
      if chosen.generation_id is distinct from self then
        perform graphile_worker.add_job('submitGeneration', json_build_object('generationId', chosen.generation_id),
          job_key => 'generation:' || chosen.generation_id, max_attempts => 30000, flags => array['new:' || chosen.family]);
      end if;
    else
      -- The end of the generation called end_trial before this call of claim_trial, so nothing else ends the trial.
      perform end_trial(chosen.generation_id);
    end if;
  end loop;

  if not exists (select from waiting_submits where provider = vendor) then
    return;
  end if;
  -- The owner of a failed trial can claim the next one only 10 seconds after the lock: see claim_trial_for_owner.
  select min(moment) into next_at from (
    select (
      select taken_at + minute from vendor_slots where provider = vendor and taken_at <= present() + minute
        order by taken_at desc offset provider_per_minute - 1 limit 1)
      where provider_per_minute is not null
    union all
    select (
      select taken_at + minute from vendor_slots where family_id = f.family and taken_at <= present() + minute
        order by taken_at desc offset f.per_minute - 1 limit 1)
      from unnest(families, per_minute) as f (family, per_minute) where f.per_minute is not null
    union all
    select greatest(locked_until + case when failed_by is null then 0 else 10 end * interval '1 second', trial_until) from breakers
      where subject = 'vendor:' || vendor or subject in (select 'family:' || family from unnest(families) as family)
  ) moments (moment) where moment > present();
  -- More slots may be free: the job continues at once, in a transaction of its own.
  if granted = granted_max then
    next_at := present();
  end if;
  if next_at is not null then
    perform graphile_worker.add_job('handSlotsOn', json_build_object('providerId', vendor),
      run_at => now() + greatest(next_at - present(), interval '0.1 seconds'), job_key => 'slots later:' || vendor);
  end if;
end $$;
