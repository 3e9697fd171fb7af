-- Deletes `rows_max` deliveries of a team that are older than the team keeps its history, with their attempts, because their bodies have
-- the request. Open deliveries stay until they close, so that no event is lost. Returns how many were deleted.
-- Locks: the team's row of team_retention; deliveries, skipping locked ones.
create or replace function purge_team_deliveries(team text, rows_max integer) returns integer language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  days integer;
  old text[];
begin
  perform set_config('lock_timeout', '400ms', true);
  select r.history_days into days from team_retention r where r.team_id = team and r.history_days is not null for no key update skip locked;
  if not found then
    return 0;
  end if;
  -- Uses the index of the delivery lists, whose last column but one is the time.
  old := array(
    select d.id from webhook_subscriptions s
        cross join unnest(array['delivered', 'failed']) as closed (state)
        cross join unnest(array['generation.completed', 'generation.failed', 'generation.cancelled']) as listed (event)
        cross join lateral (
          select id from webhook_deliveries
            where subscription_id = s.id and state = closed.state and event = listed.event and retries_left is null
              and (created_at at time zone 'UTC') < (present() - days * interval '1 day') at time zone 'UTC'
            order by created_at at time zone 'UTC' limit (select rows_max) for update skip locked
        ) d
      where s.team_id = team limit rows_max
  );
  delete from webhook_attempts where delivery_id = any (old);
  delete from webhook_deliveries where id = any (old);
  delete from callbacks where delivery_id = any (old);
  -- A shared body is as old as its deliveries. When none of that age is left, nothing refers to it.
  if old = '{}' and not exists (
    select from webhook_subscriptions s cross join lateral (
        select from webhook_deliveries d where d.subscription_id = s.id and d.retries_left is not null
          and d.created_at < present() - days * interval '1 day' limit 1) as open_deliveries
      where s.team_id = team
  ) then
    delete from webhook_bodies where id = any (array(
      select id from webhook_bodies where team_id = team and created_at < present() - (days + 1) * interval '1 day'
        order by created_at limit rows_max for update skip locked));
  end if;
  return cardinality(old);
end $$;
