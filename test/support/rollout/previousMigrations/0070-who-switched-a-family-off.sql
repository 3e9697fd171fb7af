-- Who switched a family off for a team, and when: a member who finds it locked can ask them.
alter table team_families
  add column disabled_by text references users,
  add column disabled_at timestamptz;
