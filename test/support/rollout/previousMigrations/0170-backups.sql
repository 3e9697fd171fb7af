-- Backups of this database and its objects, those that came to their end and the one under way. While one is, nothing is removed from the
-- storage, until `held_until`: a backup that died keeps nobody waiting for longer.
create table backups (
  name text primary key,
  target text not null,
  started_at timestamptz not null,
  held_until timestamptz not null,
  finished_at timestamptz,
  objects bigint,
  bytes bigint,
  missing bigint
);
comment on column backups.started_at is 'the moment that it holds: it knows of nothing later';
comment on column backups.missing is 'objects that could not be had: deleted meanwhile, or lost before';
create unique index backups_one_under_way on backups ((finished_at is null)) where finished_at is null;
