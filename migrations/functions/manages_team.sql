-- Whether a role manages the keys of its team: the roles of 'keys.manage' in src/domain/access/permissions.ts, for SQL that needs them.
-- A test compares the two. False for null, which stands for no role in the team.
create or replace function manages_team(role text) returns boolean language sql immutable parallel safe as $$
  select coalesce(role in ('owner', 'admin'), false)
$$;
