-- What maintenance has seen of the database's clock, so that nothing is deleted by a clock that has jumped ahead. One row.
create table clock_watch (
  is_only boolean primary key default true check (is_only),
  -- The last time that was believed.
  trusted_at timestamptz not null,
  -- The last time that was seen.
  seen_at timestamptz not null,
  -- For how long the clock has gone on steadily since it jumped.
  steady interval not null default '0'
);
-- The clock may be wrong when this is applied: the newest row in the ledger says when the service last worked.
insert into clock_watch (trusted_at, seen_at)
  select moment, moment from (select coalesce((select created_at from ledger_transactions order by id desc limit 1), now()) as moment) as newest;
insert into routines (name, added_at) values ('clearPartitions', now()) on conflict (name) do nothing;
