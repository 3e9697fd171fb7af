-- What the end of a generation says of its family and vendor: a failure of theirs counts against `fault_of`, a success speaks for all of
-- `success_of`. Gives each that changed, with the seconds for which it is locked now, 0 when it is open again.
-- So many `faults_max` in a row lock for `first_seconds`, when that many different requests failed or those of three owners: the repeats of
-- one request are the request's fault, and must not lock others out. `faulted` holds the requests that failed since it was last well.
-- While it is locked only work counts that was handed over after the lock had run out, which are trials: a failure locks for twice as long,
-- up to `longest_seconds`, and for as long as before when the request is known to fail; a success opens. Whatever began before neither
-- prolongs nor shortens a lock, and once it is open says nothing at all. Locks: breakers, in the order of their subjects.
create or replace function record_breaker_outcome(
  generation text, fault_of text, success_of text[], faults_max integer, first_seconds integer, longest_seconds integer
) returns table (subject text, seconds integer) language plpgsql as $$
#variable_conflict use_column
declare
  owners_min constant integer := 3;
  faulted_max constant integer := 20;
  begun timestamptz := coalesce((
    select a.intent_at from generation_attempts a join generations g on g.id = a.generation_id and g.attempt = a.number where g.id = generation
  ), present());
  request text := coalesce(request_digest(generation), md5(generation));
begin
  if fault_of is not null then
    insert into breakers (subject) values (fault_of) on conflict do nothing;
    perform from breakers where subject = fault_of for no key update;
    return query
    with met as (
      select b.subject, b.faults, b.locked_until, b.lock_seconds, request = any (b.faulted) as is_known,
          case when request = any (b.faulted) then b.faulted
            else (b.faulted || request)[greatest(1, cardinality(b.faulted) + 2 - faulted_max):] end as faulted
        from breakers b where b.subject = fault_of and begun >= coalesce(b.locked_until, b.since)
    ), old as (
      select met.*, met.locked_until is not null as was_trial,
          met.locked_until is not null or (
            met.faults + 1 >= faults_max
              and (cardinality(met.faulted) >= faults_max
                or (select count(distinct split_part(each, ':', 1)) from unnest(met.faulted) as each) >= owners_min)
          ) as locks,
          case when met.locked_until is null then first_seconds when met.is_known then met.lock_seconds
            else least(met.lock_seconds * 2, longest_seconds) end as next_seconds
        from met
    ), changed as (
      update breakers b set
          faults = case when old.locks then 0 else b.faults + 1 end,
          faulted = old.faulted,
          failed_by = case when old.was_trial then split_part(request, ':', 1) end,
          lock_seconds = case when old.locks then old.next_seconds else b.lock_seconds end,
          locked_until = case when old.locks then present() + old.next_seconds * interval '1 second' end,
          trial_by = null, trial_until = null,
          opened = b.opened + case when old.locks then 1 else 0 end
        from old where b.subject = old.subject
        returning b.subject, b.locked_until, b.lock_seconds
    )
    select subject, lock_seconds from changed where locked_until is not null;
  else
    perform from breakers where subject = any (success_of) and (faults > 0 or locked_until is not null) order by subject for no key update;
    return query
    with old as (
      select b.subject, b.locked_until is not null as was_locked from breakers b
        where b.subject = any (success_of) and (b.faults > 0 or begun >= b.locked_until)
    ), changed as (
      update breakers b set faults = 0, faulted = '{}', failed_by = null, locked_until = null, lock_seconds = 0,
          trial_by = null, trial_until = null,
          since = case when old.was_locked then present() else b.since end
        from old where b.subject = old.subject
        returning b.subject, old.was_locked
    )
    select subject, 0 from changed where was_locked;
  end if;
  if found then
    perform pg_notify('catalog', 'breakers');
  end if;
end $$;
