-- What the end of a generation says of its family and vendor: a failure of theirs counts against `fault_of`, a success speaks for all of
-- `success_of`. Gives each that changed, with the seconds for which it is locked now, 0 when it is open again.
-- So many `faults_max` in a row lock for `first_seconds`. While it is locked only work counts that was handed over after the lock had run
-- out, which are trials: a failure locks for twice as long, up to `longest_seconds`, a success opens. Whatever began before neither
-- prolongs nor shortens a lock, and once it is open says nothing at all. Locks: breakers, in the order of their subjects.
create or replace function judge_breakers(
  generation text, fault_of text, success_of text[], faults_max integer, first_seconds integer, longest_seconds integer
) returns table (subject text, seconds integer) language plpgsql as $$
#variable_conflict use_column
declare
  begun timestamptz := coalesce((
    select a.intent_at from generation_attempts a join generations g on g.id = a.generation_id and g.attempt = a.number where g.id = generation
  ), present());
begin
  if fault_of is not null then
    insert into breakers (subject) values (fault_of) on conflict do nothing;
    perform from breakers where subject = fault_of for no key update;
    return query
    with old as (
      select b.subject, b.faults + 1 >= faults_max or b.locked_until is not null as locks,
          case when b.locked_until is null then first_seconds else least(b.lock_seconds * 2, longest_seconds) end as lock_seconds
        from breakers b where b.subject = fault_of and begun >= coalesce(b.locked_until, b.since)
    ), changed as (
      update breakers b set
          faults = case when old.locks then 0 else b.faults + 1 end,
          lock_seconds = case when old.locks then old.lock_seconds else b.lock_seconds end,
          locked_until = case when old.locks then present() + old.lock_seconds * interval '1 second' end,
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
      update breakers b set faults = 0, locked_until = null, lock_seconds = 0, trial_by = null, trial_until = null,
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
