-- Searches the next `rows_max` generations of a team below `results_to` for results that purge_team_results has missed: a clock that was
-- behind, or was set back, gave them identifiers below it later. Lists them in postponed_results for purge_postponed_results. A search
-- begins at most once a day. `is_more`: call again.
-- Locks: the team's row of team_retention.
create or replace function search_missed_results(team text, rows_max integer) returns table (is_more boolean, missed integer)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  kept record;
  horizon timestamptz;
  until_id text;
  last_id text;
  read_count integer;
begin
  perform set_config('lock_timeout', '400ms', true);
  select r.media_days, r.results_to, r.searched_to, r.search_began_at into kept from team_retention r
    where r.team_id = team and r.media_days is not null for no key update skip locked;
  if not found then
    return query select false, 0;
    return;
  end if;
  if kept.searched_to = '' then
    -- A time in the future was recorded by a clock that was ahead.
    if kept.search_began_at between present() - interval '1 day' and present() then
      return query select false, 0;
      return;
    end if;
    update team_retention r set search_began_at = present() where r.team_id = team;
  end if;
  horizon := present() - kept.media_days * interval '1 day';
  until_id := least(first_id('gen', horizon), kept.results_to);
  -- For the form of the query see purge_team_results.
  with page as materialized (
    select g.id, g.finished_at is not null and g.finished_at < horizon and (g.result is null or g.result ? 'deletedAt') as is_done
      from generations g
      where (g.owner_id, g.id) > (team, kept.searched_to) and (g.owner_id, g.id) < (team, until_id)
      order by g.owner_id, g.id limit (select rows_max)
  ), noted as (
    insert into postponed_results (generation_id, team_id, tried_at) select id, team, '-infinity' from page where not is_done
      on conflict (generation_id) do nothing returning 1
  )
  select (select count(*) from page), (select max(id) from page), (select count(*) from noted) into read_count, last_id, missed;
  is_more := read_count = rows_max;
  update team_retention r set searched_to = case when is_more then last_id else '' end where r.team_id = team;
  return next;
end $$;
