-- Tries the next `rows_max` results again that purge_team_results has put off, those first that have waited longest since the last try;
-- none is tried twice in a minute; a try that is yet to come was noted by a clock that was ahead. Locks and answer: as there.
create or replace function purge_postponed_results(team text, rows_max integer)
returns table (is_more boolean, forgotten integer, broken integer) language plpgsql as $$
declare
  days integer;
  seen integer := 0;
  gone integer := 0;
  failed integer := 0;
  postponed record;
  each record;
  ids text[] := '{}';
  keys text[] := '{}';
begin
  perform set_config('lock_timeout', '400ms', true);
  select r.media_days into days from team_retention r where r.team_id = team and r.media_days is not null for no key update skip locked;
  if not found then
    return query select false, 0, 0;
    return;
  end if;
  for postponed in
    select p.generation_id as id from postponed_results p where p.team_id = team
        and p.tried_at not between present() - interval '1 minute' and present() + interval '1 minute'
      order by p.tried_at limit rows_max
  loop
    seen := seen + 1;
    select * into each from purge_result(postponed.id, team, present() - days * interval '1 day');
    if each.storage_key is not null then
      ids := ids || postponed.id;
      keys := keys || each.storage_key;
    end if;
    gone := gone + (each.verdict = 'deleted')::integer;
    failed := failed + (each.verdict = 'broken')::integer;
    if each.verdict in ('later', 'broken') then
      update postponed_results set tried_at = present() where generation_id = postponed.id;
    else
      delete from postponed_results where generation_id = postponed.id;
    end if;
  end loop;
  perform queue_removals(ids, keys);
  return query select seen = rows_max, gone, failed;
end $$;
