-- Work that no job has taken yet, in a line for each family and owner. The job queue holds the first few of each line, so that a look at
-- the queue stays short however many wait, and owners take turns. `rank`: its place among those that have a job, 1 for the head of the
-- line; null: it waits here without a job. `head_at`: since when it is the head.
create table waiting_starts (
  generation_id text primary key,
  family_id text not null,
  owner_id text not null,
  since timestamptz not null,
  rank smallint check (rank > 0),
  head_at timestamptz check ((head_at is not null) = coalesce(rank = 1, false))
);
create index waiting_starts_parked on waiting_starts (family_id, owner_id, since, generation_id) where rank is null;
create index waiting_starts_queued on waiting_starts (family_id, owner_id, rank) where rank is not null;
create index waiting_starts_heads on waiting_starts (family_id, head_at) where head_at is not null;
create index waiting_starts_since on waiting_starts (since) where rank is null;

-- When a line became empty because its last start was taken: an owner who comes back goes before those who have been served since.
create unlogged table owner_turns (
  family_id text not null,
  owner_id text not null,
  served_at timestamptz not null,
  primary key (family_id, owner_id)
);
create index owner_turns_served on owner_turns (served_at);
