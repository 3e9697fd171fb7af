-- Reads a page of open generations, ordered by age and identifier. Returns those that have no job and wait neither for a start nor for a
-- vendor slot, with the task that continues them, and the last row of the page, after which the next page starts. Counts a job that was
-- locked `held_minutes` ago as lost. Skips generations younger than `settled_seconds`.
-- The settings force indexes: these tables change faster than their statistics, with which PostgreSQL would read all open generations for
-- each page.
create or replace function find_generations_without_job(after_created timestamptz, after_id text, settled_seconds integer, held_minutes integer, page_size integer)
returns table (id text, family_id text, attempt integer, task text, created_at timestamptz, is_jobless boolean)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return query with page as materialized (
    select g.id, g.family_id, g.state, g.attempt, g.created_at from generations g
      where g.finished_at is null and g.account_id is not null and g.created_at >= after_created and (g.created_at, g.id) > (after_created, after_id)
        and g.created_at < present() - settled_seconds * interval '1 second'
      order by g.created_at, g.id limit page_size
  ), checked as materialized (
    select page.*, row_number() over () = count(*) over () as is_last,
        not exists (select from waiting_submits w where w.generation_id = page.id)
        and not exists (select from waiting_starts s where s.generation_id = page.id and s.rank is null)
        and job.id is null as lacks_job
      -- The limit keeps the planner from reading all jobs once for the page.
      from page left join lateral (
        select j.id from graphile_worker.jobs j where j.key = 'generation:' || page.id
          and (j.locked_at is null or j.locked_at > now() - held_minutes * interval '1 minute') and j.attempts < j.max_attempts limit 1
      ) job on true
  )
  select j.id, j.family_id, j.attempt, case
        when j.state = 'finalizing' then 'finaliseGeneration'
        when exists (select from generation_attempts a where a.generation_id = j.id and a.number = j.attempt and a.handle is not null) then 'pollGeneration'
        else 'submitGeneration' end,
      j.created_at, j.lacks_job
    from checked j where j.lacks_job or j.is_last;
end $$;
