-- Deletes the next `rows_max` generations of a team after `after_id` that are older than the team keeps its history, the oldest first. Does
-- nothing while `removals_max` objects wait for their removal. Skips rows that cannot be deleted yet. The next pass starts at the oldest
-- again, which is cheap, because deleted rows are gone. `last_id`: the last row that was read.
-- Locks: see purge_team_results.
create or replace function purge_team_generations(team text, after_id text, rows_max integer, removals_max integer)
returns table (is_more boolean, last_id text, purged integer, broken integer) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  days integer;
  horizon timestamptz;
  until_id text;
  read_count integer := 0;
  reached_id text := after_id;
  purged_count integer := 0;
  broken_count integer := 0;
  old record;
  attempt record;
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
  -- For the form of the query see purge_team_results.
  for old in
    select g.id, coalesce(g.result ? 'storageKey', false) as is_stored from generations g
      where (g.owner_id, g.id) > (team, after_id) and (g.owner_id, g.id) < (team, until_id)
      order by g.owner_id, g.id limit (select rows_max)
  loop
    read_count := read_count + 1;
    reached_id := old.id;
    -- The result first: the row is deleted when no job needs it any more.
    if old.is_stored then
      select * into attempt from purge_result(old.id, team, horizon);
      if attempt.storage_key is not null then
        ids := ids || old.id;
        keys := keys || attempt.storage_key;
      end if;
    else
      select purge_generation(old.id, team, horizon) as verdict into attempt;
    end if;
    purged_count := purged_count + (attempt.verdict in ('purged', 'deleted'))::integer;
    broken_count := broken_count + (attempt.verdict = 'broken')::integer;
  end loop;
  perform queue_removals(ids, keys);
  return query select read_count = rows_max, reached_id, purged_count, broken_count;
end $$;
