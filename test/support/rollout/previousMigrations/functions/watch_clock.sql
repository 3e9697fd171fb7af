-- Whether the database's clock may decide what is old enough to be deleted. Called every few seconds by whoever runs maintenance.
-- A clock that is more than a day ahead of the last time that was believed has jumped, or no maintenance ran for so long. It is believed
-- once it has gone on steadily for six hours, in all, under the eyes of maintenance. A clock that is behind deletes nothing too early.
-- `ahead_seconds`: by how much it has jumped, 0 when it is believed. Locks: the row of clock_watch, for a moment.
create or replace function watch_clock() returns table (is_trusted boolean, ahead_seconds double precision) language plpgsql as $$
declare
  jump_min constant interval := interval '1 day';
  steady_min constant interval := interval '6 hours';
  -- Looks are seconds apart; a longer pause was not watched.
  pause_max constant interval := interval '1 minute';
  at constant timestamptz := present();
  known clock_watch;
begin
  if not exists (select from clock_watch) then
    -- The clock may be wrong already, or this be a copy of long ago: the newest row in the ledger says when the service last worked.
    insert into clock_watch (trusted_at, seen_at)
      select coalesce(max(created_at), at), coalesce(max(created_at), at) from (select created_at from ledger_transactions order by id desc limit 1) as newest
      on conflict do nothing;
  end if;
  select * into strict known from clock_watch for update;
  if at - known.seen_at between interval '0' and pause_max then
    known.steady := known.steady + (at - known.seen_at);
  end if;
  if at <= known.trusted_at + jump_min or known.steady >= steady_min then
    known.trusted_at := at;
    known.steady := interval '0';
  end if;
  update clock_watch set trusted_at = known.trusted_at, seen_at = at, steady = known.steady;
  return query select known.trusted_at = at, extract(epoch from at - known.trusted_at)::double precision;
end $$;
