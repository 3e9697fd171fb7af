-- Who is not asked for a while because of failures in a row: `family:<id>`, or `vendor:<provider>` where its account is at fault.
-- A row comes with the first failure. It is locked while `locked_until` is set; when that moment has passed, one trial at a time is let in.
create table breakers (
  subject text primary key,
  faults integer not null default 0,
  since timestamptz not null default '-infinity',
  locked_until timestamptz,
  lock_seconds integer not null default 0,
  trial_by text,
  trial_until timestamptz,
  opened bigint not null default 0
);
comment on column breakers.faults is 'failures in a row; 0 while it is locked';
comment on column breakers.since is 'when it was last closed: what was handed over before says nothing any more';
comment on column breakers.opened is 'how often it was locked, trials that failed included';
