-- For processes of the release before; see due_jobs_since.
-- What is due of each of the tasks, as far as `counted_max`, and in how many milliseconds the next of its jobs is.
-- Rows of this table come and go faster than PostgreSQL counts them: told that there are few, it would read and sort all of them.
create or replace function due_jobs(tasks text[], counted_max integer) returns table (task text, due integer, next_milliseconds double precision)
language plpgsql stable set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off as $$
begin
  return query select known.identifier, counted.due, coming.milliseconds
    from graphile_worker._private_tasks known
      cross join lateral (
        select count(*)::integer as due from (
          select from graphile_worker._private_jobs job
            where job.task_id = known.id and job.is_available = true and job.run_at <= now() order by job.run_at limit counted_max
        ) as first
      ) as counted
      left join lateral (
        select (extract(epoch from job.run_at - now()) * 1000)::double precision as milliseconds from graphile_worker._private_jobs job
          where job.task_id = known.id and job.is_available = true and job.run_at > now() order by job.run_at limit 1
      ) as coming on true
    where known.identifier = any(tasks);
end $$;
