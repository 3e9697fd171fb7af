-- Objects of deleted rows that the storage refused to remove several times. They leave the job queue, which slows down with each waiting
-- job, and are tried again by maintenance from `retry_at` on.
create table stuck_removals (
  storage_key text primary key,
  tries integer not null,
  retry_at timestamptz not null
);
create index stuck_removals_due on stuck_removals (retry_at);

-- Rows of deleted teams and people that could not be deleted yet, so that the rest is deleted without them. Tried again from `retry_at` on.
create table postponed_deletions (
  owner_id text not null,
  row_id text not null,
  kind text not null check (kind in ('generation', 'file', 'delivery')),
  tries integer not null,
  retry_at timestamptz not null,
  primary key (owner_id, row_id)
);
create index postponed_deletions_due on postponed_deletions (owner_id, retry_at);

-- How far results below `results_to` were searched again for those that the walk has missed, and when that search began. A clock that was
-- set back gives new generations identifiers below `results_to`.
alter table team_retention add column searched_to text not null default '', add column search_began_at timestamptz;
