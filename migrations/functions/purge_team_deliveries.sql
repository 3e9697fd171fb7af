-- Deletes `rows_max` deliveries of a team that are older than it keeps its history, with their attempts, since their bodies hold what was
-- asked for. Those that are still to be made stay until they are: an event is told, whatever is forgotten. Returns how many.
-- Locks: the team's row of team_retention; deliveries; one that is locked is left for the next time.
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
  -- By the index that serves the lists, whose last part but one is the moment.
  old := array(
    select d.id from webhook_subscriptions s
        cross join unnest(array['delivered', 'failed']) as closed (state)
        cross join unnest(array['generation.completed', 'generation.failed', 'generation.cancelled']) as told (event)
        cross join lateral (
          select id from webhook_deliveries
            where subscription_id = s.id and state = closed.state and event = told.event and retries_left is null
              and (created_at at time zone 'UTC') < (present() - days * interval '1 day') at time zone 'UTC'
            order by created_at at time zone 'UTC' limit (select rows_max) for update skip locked
        ) d
      where s.team_id = team limit rows_max
  );
  delete from webhook_attempts where delivery_id = any (old);
  delete from webhook_deliveries where id = any (old);
  -- What is shared is as old as its deliveries: when none of that age is left, closed or open, nothing refers to it.
  if old = '{}' and not exists (
    select from webhook_subscriptions s cross join lateral (
        select from webhook_deliveries d where d.subscription_id = s.id and d.retries_left is not null
          and d.created_at < present() - days * interval '1 day' limit 1) as open_ones
      where s.team_id = team
  ) then
    delete from webhook_bodies where id = any (array(
      select id from webhook_bodies where team_id = team and created_at < present() - (days + 1) * interval '1 day'
        order by created_at limit rows_max for update skip locked));
  end if;
  return cardinality(old);
end $$;
