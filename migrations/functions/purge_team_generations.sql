-- Forgets the next `rows_max` generations of a team, above `after_id`, that are older than it keeps its history, the oldest first, unless
-- `removals_max` objects wait for their removal already. What cannot go yet is passed over until the next walk, which begins at the oldest
-- again: what is gone costs it nothing. `last_id`: where it came to.
-- Locks: as purge_team_results.
create or replace function purge_team_generations(team text, after_id text, rows_max integer, removals_max integer)
returns table (is_more boolean, last_id text, forgotten integer, broken integer) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  days integer;
  horizon timestamptz;
  until_id text;
  seen integer := 0;
  came_to text := after_id;
  gone integer := 0;
  failed integer := 0;
  old record;
  each record;
  ids text[] := '{}';
  keys text[] := '{}';
begin
  perform set_config('lock_timeout', '400ms', true);
  select r.history_days into days from team_retention r where r.team_id = team and r.history_days is not null for no key update skip locked;
  if not found or (select count(*) >= removals_max from (
      select from graphile_worker.jobs where task_identifier = 'removeObject' limit removals_max) as queued) then
    return query select false, after_id, 0, 0;
    return;
  end if;
  horizon := present() - days * interval '1 day';
  until_id := first_id('gen', horizon);
  -- As in purge_team_results.
  for old in
    select g.id, coalesce(g.result ? 'storageKey', false) as is_stored from generations g
      where (g.owner_id, g.id) > (team, after_id) and (g.owner_id, g.id) < (team, until_id)
      order by g.owner_id, g.id limit (select rows_max)
  loop
    seen := seen + 1;
    came_to := old.id;
    -- Its object first: the row goes when no job needs it any more.
    if old.is_stored then
      select * into each from purge_result(old.id, team, horizon);
      if each.storage_key is not null then
        ids := ids || old.id;
        keys := keys || each.storage_key;
      end if;
    else
      select purge_generation(old.id, team, horizon) as verdict into each;
    end if;
    gone := gone + (each.verdict in ('forgotten', 'deleted'))::integer;
    failed := failed + (each.verdict = 'broken')::integer;
  end loop;
  perform queue_removals(ids, keys);
  return query select seen = rows_max, came_to, gone, failed;
end $$;
