-- The limits of a user's requests: the highest of their teams. A team without a tier has the limits of the deployment, which also apply
-- without a team.
create or replace function request_limits(of_user text, default_per_minute integer, default_in_progress integer)
  returns table (per_minute integer, in_progress integer) language sql stable as $$
    select coalesce(max(coalesce(t.requests_per_minute, default_per_minute)), default_per_minute),
        coalesce(max(coalesce(t.requests_in_progress, default_in_progress)), default_in_progress)
      from memberships m join teams t on t.id = m.team_id where m.user_id = of_user
  $$;
