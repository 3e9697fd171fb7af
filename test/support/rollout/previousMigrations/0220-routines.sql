-- When each routine of maintenance last began and ended, by the database's clock. A process claims a routine here before it runs it.
create table routines (
  name text primary key,
  -- A routine that has not succeeded yet is as old as this.
  added_at timestamptz not null,
  begun_at timestamptz,
  -- The end of the last run that succeeded.
  ended_at timestamptz,
  -- The process that runs it, null between runs.
  holder text
);
insert into routines (name, added_at)
  select unnest(array['reconcile', 'prune', 'keepPartitions', 'keepRetention', 'recountLedger']), now();
