-- Returns whether the database's clock may decide what is old enough to delete. Maintenance calls this every few seconds. A clock that is
-- more than a day ahead of the last trusted time has jumped, or maintenance did not run for a day. It is trusted again after it ran
-- steadily for six hours in total under observation. A clock that is behind deletes nothing too early. `ahead_seconds`: how far it has
-- jumped, 0 when it is trusted.
-- Locks: the row of clock_watch, for a moment.
create or replace function watch_clock() returns table (is_trusted boolean, ahead_seconds double precision) language plpgsql as $$
declare
  jump_min constant interval := interval '1 day';
  steady_min constant interval := interval '6 hours';
  -- Calls are seconds apart. A longer interval was not observed.
  interval_max constant interval := interval '1 minute';
  at constant timestamptz := present();
  watch clock_watch;
begin
  if not exists (select from clock_watch) then
    -- The clock may be wrong already, or this is an old copy: the newest row of the ledger shows when the service last worked.
    insert into clock_watch (trusted_at, seen_at)
      select coalesce(max(created_at), at), coalesce(max(created_at), at) from (select created_at from ledger_transactions order by id desc limit 1) as newest
      on conflict do nothing;
  end if;
  select * into strict watch from clock_watch for update;
  if at - watch.seen_at between interval '0' and interval_max then
    watch.steady := watch.steady + (at - watch.seen_at);
  end if;
  if at <= watch.trusted_at + jump_min or watch.steady >= steady_min then
    watch.trusted_at := at;
    watch.steady := interval '0';
  end if;
  update clock_watch set trusted_at = watch.trusted_at, seen_at = at, steady = watch.steady;
  return query select watch.trusted_at = at, extract(epoch from at - watch.trusted_at)::double precision;
end $$;
