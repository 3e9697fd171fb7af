-- Gives the free slots of a provider to those who wait for them, owner by owner (see next_waiting_submit): of each of `families`, in whose order stand what each
-- may have at once and in a minute, null for no limit, and so `provider_at_once` and `provider_per_minute`. Whoever gets one is queued,
-- apart from `self`, which is running. A family that failures have locked gets none, but one for a trial when its time has come.
-- Where time alone will make room, it is looked at again then; a slot of a far future is that of a clock that was set back, and counts for no
-- minute. One at a time does this for all providers, so that a family with several
-- of them is counted right. Locks: places in line, breakers.
create or replace function grant_vendor_slots(
  handed text, provider_at_once integer, provider_per_minute integer,
  families text[], at_once integer[], per_minute integer[], lease_seconds integer, self text
) returns void language plpgsql as $$
declare
  minute constant interval := interval '1 minute';
  slots_max constant integer := 100;
  room integer;
  passed_over text[] := '{}';
  chosen record;
  owner text;
  met text[];
  again timestamptz;
  handed_on integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('atelier.vendor_slots'));
  room := least(
    slots_max + 1,
    provider_at_once - (select count(*) from vendor_slots where provider = handed and released_at is null),
    provider_per_minute - (
      select count(*) from vendor_slots where provider = handed and taken_at > present() - minute and taken_at <= present() + minute)
  );
  -- All that may be claimed, before any is: those who judge an end lock in the same order.
  perform from breakers
    where locked_until is not null and subject in (select 'vendor:' || handed union all select 'family:' || family from unnest(families) as family)
    order by subject for no key update;
  while room > 0 and handed_on < slots_max loop
    select w.generation_id, f.family into chosen
      from unnest(families, at_once, per_minute) as f (family, at_once, per_minute)
      cross join lateral next_waiting_submit(handed, f.family) as w
      where w.generation_id is not null and f.family <> all (passed_over)
        and (f.at_once is null or f.at_once > (select count(*) from vendor_slots where family_id = f.family and released_at is null))
        and (f.per_minute is null
          or f.per_minute > (
            select count(*) from vendor_slots where family_id = f.family and taken_at > present() - minute and taken_at <= present() + minute))
      order by w.held, w.served nulls first, w.since, w.generation_id limit 1;
    exit when not found;
    -- A fallback meets its vendor alone: what keeps its family stands for the variant that it stands in for.
    met := array['vendor:' || handed];
    if not exists (select from generations where id = chosen.generation_id and fallback_model_id is not null) then
      met := array['family:' || chosen.family] || met;
    end if;
    if not claim_trial(met, chosen.generation_id, lease_seconds) then
      passed_over := passed_over || chosen.family;
      continue;
    end if;
    delete from waiting_submits where generation_id = chosen.generation_id returning owner_id into owner;
    if found then
      insert into vendor_slots (generation_id, provider, family_id, owner_id, taken_at)
        values (chosen.generation_id, handed, chosen.family, owner, present());
      room := room - 1;
      handed_on := handed_on + 1;
      if chosen.generation_id is distinct from self then
        perform graphile_worker.add_job('submitGeneration', json_build_object('generationId', chosen.generation_id),
          job_key => 'generation:' || chosen.generation_id, max_attempts => 30000, flags => array['family:' || chosen.family, 'new:' || chosen.family]);
      end if;
    else
      -- It has ended meanwhile, and gave up a place that it had not got yet.
      perform end_trial(chosen.generation_id);
    end if;
  end loop;

  if not exists (select from waiting_submits where provider = handed) then
    return;
  end if;
  select min(moment) into again from (
    select (
      select taken_at + minute from vendor_slots where provider = handed and taken_at <= present() + minute
        order by taken_at desc offset provider_per_minute - 1 limit 1)
      where provider_per_minute is not null
    union all
    select (
      select taken_at + minute from vendor_slots where family_id = f.family and taken_at <= present() + minute
        order by taken_at desc offset f.per_minute - 1 limit 1)
      from unnest(families, per_minute) as f (family, per_minute) where f.per_minute is not null
    union all
    select greatest(locked_until + case when failed_by is null then 0 else 10 end * interval '1 second', trial_until) from breakers
      where subject = 'vendor:' || handed or subject in (select 'family:' || family from unnest(families) as family)
  ) moments (moment) where moment > present();
  if handed_on = slots_max then
    again := present();
  end if;
  if again is not null then
    perform graphile_worker.add_job('handSlotsOn', json_build_object('providerId', handed),
      run_at => now() + greatest(again - present(), interval '0.1 seconds'), job_key => 'slots later:' || handed);
  end if;
end $$;
