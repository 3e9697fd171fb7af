-- What is due of each of the tasks, as far as `counted_max`, and in how many milliseconds the next of its jobs is. Jobs that are due since
-- before `since` of their task are not looked for: PostgreSQL would read all that have ended since the oldest open snapshot to find none.
-- `gone_before`: before that time nothing was due, by what was seen; 15 seconds are left for transactions that have not ended.
-- Rows of this table come and go faster than PostgreSQL counts them: told that there are few, it would read and sort all of them.
create or replace function due_jobs_since(tasks text[], since timestamptz[], counted_max integer)
returns table (task text, due integer, next_milliseconds double precision, gone_before timestamptz)
language plpgsql stable set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off as $$
begin
  return query select known.identifier, counted.due, coming.milliseconds, coalesce(counted.oldest, now()) - interval '15 seconds'
    from unnest(tasks, since) as asked (identifier, since)
      join graphile_worker._private_tasks known on known.identifier = asked.identifier
      cross join lateral (
        select count(*)::integer as due, min(first.run_at) as oldest from (
          select job.run_at from graphile_worker._private_jobs job
            where job.task_id = known.id and job.is_available = true and job.run_at >= asked.since and job.run_at <= now()
            order by job.run_at limit counted_max
        ) as first
      ) as counted
      left join lateral (
        select (extract(epoch from job.run_at - now()) * 1000)::double precision as milliseconds from graphile_worker._private_jobs job
          where job.task_id = known.id and job.is_available = true and job.run_at > now() order by job.run_at limit 1
      ) as coming on true;
end $$;
