-- Of a page of open work, by age and identifier: what has no job and stands in no line, with the step that it is at, and the last row, after
-- which the next page begins. A job that was taken `held_minutes` ago is taken for lost; work is left alone until it is `settled_seconds` old.
-- Rows of these tables come and go faster than PostgreSQL counts them: told that there are few, it would read all that is open for each page.
create or replace function find_jobless(after_created timestamptz, after_id text, settled_seconds integer, held_minutes integer, page_size integer)
returns table (id text, family_id text, attempt integer, task text, created_at timestamptz, is_jobless boolean)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return query with page as materialized (
    select g.id, g.family_id, g.state, g.attempt, g.created_at from generations g
      where g.finished_at is null and g.source <> 'editor' and g.created_at >= after_created and (g.created_at, g.id) > (after_created, after_id)
        and g.created_at < present() - settled_seconds * interval '1 second'
      order by g.created_at, g.id limit page_size
  ), judged as materialized (
    select page.*, row_number() over () = count(*) over () as is_last,
        not exists (select from waiting_submits w where w.generation_id = page.id)
        and not exists (select from waiting_starts s where s.generation_id = page.id and s.rank is null)
        and not exists (select from graphile_worker._private_jobs j where j.key = 'generation:' || page.id
          and (j.locked_at is null or j.locked_at > now() - held_minutes * interval '1 minute') and j.attempts < j.max_attempts) as is_lost
      from page
  )
  select j.id, j.family_id, j.attempt, case
        when j.state = 'finalizing' then 'finaliseGeneration'
        when exists (select from generation_attempts a where a.generation_id = j.id and a.number = j.attempt and a.handle is not null) then 'pollGeneration'
        else 'submitGeneration' end,
      j.created_at, j.is_lost
    from judged j where j.is_lost or j.is_last;
end $$;
