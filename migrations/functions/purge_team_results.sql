-- Deletes the results of the next `rows_max` generations of a team that are older than it keeps media, the oldest first, unless
-- `removals_max` objects wait for their removal already. What cannot go yet is noted in postponed_results. `is_more`: there may be more of
-- them at once. What was done stands in the same transaction as how far that is.
-- Locks: the team's row of team_retention, so that a change of the rule waits for this and holds from then on; generations.
create or replace function purge_team_results(team text, rows_max integer, removals_max integer)
returns table (is_more boolean, forgotten integer, broken integer) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  kept record;
  horizon timestamptz;
  until_id text;
  last_id text;
  seen integer := 0;
  gone integer := 0;
  failed integer := 0;
  old record;
  each record;
  ids text[] := '{}';
  keys text[] := '{}';
begin
  perform set_config('lock_timeout', '400ms', true);
  select r.media_days, r.results_to into kept from team_retention r where r.team_id = team and r.media_days is not null
    for no key update skip locked;
  if not found or (select count(*) >= removals_max from (
      select from graphile_worker.jobs where task_identifier = 'removeObject' limit removals_max) as queued) then
    return query select false, 0, 0;
    return;
  end if;
  horizon := present() - kept.media_days * interval '1 day';
  until_id := first_id('gen', horizon);
  -- A stretch of the index by owner between two bounds, in each partition. The primary key would lead through everybody's rows, and a
  -- bound of the identifier alone, or a limit that the planner can see, tempts it there.
  for old in
    select g.id, g.finished_at is not null and g.finished_at < horizon and (g.result is null or g.result ? 'deletedAt') as is_done
      from generations g
      where (g.owner_id, g.id) > (team, kept.results_to) and (g.owner_id, g.id) < (team, until_id)
      order by g.owner_id, g.id limit (select rows_max)
  loop
    seen := seen + 1;
    last_id := old.id;
    continue when old.is_done;
    select * into each from purge_result(old.id, team, horizon);
    if each.storage_key is not null then
      ids := ids || old.id;
      keys := keys || each.storage_key;
    end if;
    gone := gone + (each.verdict = 'deleted')::integer;
    failed := failed + (each.verdict = 'broken')::integer;
    if each.verdict in ('later', 'broken') then
      insert into postponed_results (generation_id, team_id, tried_at) values (old.id, team, present())
        on conflict (generation_id) do update set tried_at = excluded.tried_at;
    end if;
  end loop;
  if last_id is not null then
    update team_retention r set results_to = last_id where r.team_id = team;
  end if;
  perform queue_removals(ids, keys);
  return query select seen = rows_max, gone, failed;
end $$;
