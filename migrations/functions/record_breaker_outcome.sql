-- Records the outcome of a generation in breakers: a failure in that of `fault_of`, a success in those of `success_of`. Returns each
-- breaker that changed, with the seconds of its lock, or 0 when it closed.
-- A breaker opens for `first_seconds` after `faults_max` failures in a row that come from as many different requests or from three owners.
-- Repeats of one request may fail because of the request, and must not lock out others. `faulted` has the digests of the requests that
-- failed since the last success.
-- While a breaker is open, only attempts that began after the end of its lock count: the trials. A failed trial locks for twice as long as
-- before, up to `longest_seconds`, or for the same time when its request is known to fail. A success closes the breaker. Ignores attempts
-- that began before the end of the lock, and failures of attempts that began before the breaker last closed.
-- Locks: breakers in the order of subject.
create or replace function record_breaker_outcome(
  generation text, fault_of text, success_of text[], faults_max integer, first_seconds integer, longest_seconds integer
) returns table (subject text, seconds integer) language plpgsql as $$
#variable_conflict use_column
declare
  owners_min constant integer := 3;
  faulted_max constant integer := 20;
  attempt_began_at timestamptz := coalesce((
    select a.intent_at from generation_attempts a join generations g on g.id = a.generation_id and g.attempt = a.number where g.id = generation
  ), present());
  request text := coalesce(request_digest(generation), md5(generation));
begin
  if fault_of is not null then
    insert into breakers (subject) values (fault_of) on conflict do nothing;
    perform from breakers where subject = fault_of for no key update;
    return query
    with counted as (
      select b.subject, b.faults, b.locked_until, b.lock_seconds, request = any (b.faulted) as is_known,
          case when request = any (b.faulted) then b.faulted
            else (b.faulted || request)[greatest(1, cardinality(b.faulted) + 2 - faulted_max):] end as faulted
        from breakers b where b.subject = fault_of and attempt_began_at >= coalesce(b.locked_until, b.since)
    ), old as (
      select counted.*, counted.locked_until is not null as was_trial,
          counted.locked_until is not null or (
            counted.faults + 1 >= faults_max
              and (cardinality(counted.faulted) >= faults_max
                or (select count(distinct split_part(each, ':', 1)) from unnest(counted.faulted) as each) >= owners_min)
          ) as locks,
          case when counted.locked_until is null then first_seconds when counted.is_known then counted.lock_seconds
            else least(counted.lock_seconds * 2, longest_seconds) end as next_seconds
        from counted
    ), changed as (
      update breakers b set
          faults = case when old.locks then 0 else b.faults + 1 end,
          faulted = old.faulted,
          failed_by = case when old.was_trial then split_part(request, ':', 1) end,
          lock_seconds = case when old.locks then old.next_seconds else b.lock_seconds end,
          locked_until = case when old.locks then present() + old.next_seconds * interval '1 second' end,
          locked_since = case when old.locks and not old.was_trial then present() else b.locked_since end,
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
        where b.subject = any (success_of) and (b.faults > 0 or attempt_began_at >= b.locked_until)
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
