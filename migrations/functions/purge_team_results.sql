-- Deletes the results of the next `rows_max` generations of a team that are older than the team keeps media, the oldest first. Does nothing
-- while `removals_max` objects wait for their removal. Results that cannot be deleted yet are listed in postponed_results. The position is
-- stored in the same transaction. `is_more`: call again.
-- Locks: the team's row of team_retention, so that a change of the rule waits for this transaction; generations.
create or replace function purge_team_results(team text, rows_max integer, removals_max integer)
returns table (is_more boolean, purged integer, broken integer) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  kept record;
  horizon timestamptz;
  until_id text;
  last_id text;
  read_count integer := 0;
  purged_count integer := 0;
  broken_count integer := 0;
  old record;
  attempt record;
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
  -- The bounds are rows and the limit is a subquery, so that PostgreSQL reads the index by owner. With plain bounds or a known limit it
  -- would read the primary key, which has the rows of all owners.
  for old in
    select g.id, g.finished_at is not null and g.finished_at < horizon and (g.result is null or g.result ? 'deletedAt') as is_done
      from generations g
      where (g.owner_id, g.id) > (team, kept.results_to) and (g.owner_id, g.id) < (team, until_id)
      order by g.owner_id, g.id limit (select rows_max)
  loop
    read_count := read_count + 1;
    last_id := old.id;
    continue when old.is_done;
    select * into attempt from purge_result(old.id, team, horizon);
    if attempt.storage_key is not null then
      ids := ids || old.id;
      keys := keys || attempt.storage_key;
    end if;
    purged_count := purged_count + (attempt.verdict = 'deleted')::integer;
    broken_count := broken_count + (attempt.verdict = 'broken')::integer;
    if attempt.verdict in ('later', 'broken') then
      insert into postponed_results (generation_id, team_id, tried_at) values (old.id, team, present())
        on conflict (generation_id) do update set tried_at = excluded.tried_at;
    end if;
  end loop;
  if last_id is not null then
    update team_retention r set results_to = last_id where r.team_id = team;
  end if;
  perform queue_removals(ids, keys);
  return query select read_count = rows_max, purged_count, broken_count;
end $$;
