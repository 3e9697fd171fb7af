-- How long a team keeps what it has made, where that is shorter than the deployment does: results, and the rows of its generations.
create table team_retention (
  team_id text primary key references teams,
  -- Null: as long as the generation itself.
  media_days integer check (media_days between 1 and 3650),
  -- Null: as long as the deployment keeps everybody's.
  history_days integer check (history_days between 1 and 3650 and history_days >= coalesce(media_days, 0)),
  -- Results of generations up to here are gone, or stand in postponed_results.
  results_to text not null default '',
  -- When it was its turn, so that nobody's many rows keep another team waiting.
  served_at timestamptz
);

-- Generations whose result should have gone and was still needed: a few, however long the history is. They are tried again.
create table postponed_results (
  generation_id text primary key,
  team_id text not null,
  tried_at timestamptz not null
);
create index postponed_results_in_turn on postponed_results (team_id, tried_at);
