-- Ends the trial of a generation without an outcome, so that another generation can claim it. Also locks the breakers of its family and
-- vendor, because record_breaker_outcome may lock them next in the same transaction. Locks: breakers in the order of subject.
create or replace function end_trial(generation text) returns void language plpgsql as $$
begin
  if not exists (select from breakers where trial_by = generation) then
    return;
  end if;
  perform from breakers
    where trial_by = generation
      or subject in (
        select unnest(array['family:' || g.family_id, 'vendor:' || a.provider])
          from generations g left join generation_attempts a on a.generation_id = g.id and a.number = g.attempt where g.id = generation
      )
    order by subject for no key update;
  update breakers set trial_by = null, trial_until = null where trial_by = generation;
  if found then
    perform pg_notify('catalog', 'breakers');
  end if;
end $$;
