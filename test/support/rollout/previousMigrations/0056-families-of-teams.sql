-- What is said about a family for one team alone: that the team has switched it off for itself, that it was granted a restricted one.
create table team_families (
  team_id text not null references teams,
  family_id text not null,
  disabled boolean not null default false,
  granted boolean not null default false,
  primary key (team_id, family_id)
);
