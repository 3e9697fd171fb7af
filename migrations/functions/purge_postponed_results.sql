-- Tries the next `rows_max` postponed results again, starting with the oldest try, each at most once a minute. A try in the future was
-- recorded by a clock that was ahead, and counts as old. Locks and returned columns: see purge_team_results.
create or replace function purge_postponed_results(team text, rows_max integer)
returns table (is_more boolean, purged integer, broken integer) language plpgsql as $$
declare
  days integer;
  read_count integer := 0;
  purged_count integer := 0;
  broken_count integer := 0;
  postponed record;
  attempt record;
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
    read_count := read_count + 1;
    select * into attempt from purge_result(postponed.id, team, present() - days * interval '1 day');
    if attempt.storage_key is not null then
      ids := ids || postponed.id;
      keys := keys || attempt.storage_key;
    end if;
    purged_count := purged_count + (attempt.verdict = 'deleted')::integer;
    broken_count := broken_count + (attempt.verdict = 'broken')::integer;
    if attempt.verdict in ('later', 'broken') then
      update postponed_results set tried_at = present() where generation_id = postponed.id;
    else
      delete from postponed_results where generation_id = postponed.id;
    end if;
  end loop;
  perform queue_removals(ids, keys);
  return query select read_count = rows_max, purged_count, broken_count;
end $$;
