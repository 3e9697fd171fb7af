-- Groups of the identity provider that give a role in a team. Older processes neither read nor write them; what they add is made by hand.
create table team_groups (
  team_id text not null references teams on delete cascade,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null,
  primary key (team_id, name)
);
comment on table team_groups is 'Groups of the identity provider that give a role in a team, at each sign-in.';
comment on column team_groups.name is 'exactly as the claim of the ID token has it';
create index team_groups_by_name on team_groups (name);
alter table memberships add column from_groups boolean not null default false;
comment on column memberships.from_groups is 'whether groups gave the membership; groups change and end only these';
