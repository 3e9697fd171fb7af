-- Returns for each task the number of due jobs, at most `counted_max`, and the milliseconds until its next job is due.
-- Jobs due before `since` of their task are not counted: PostgreSQL would read all jobs that ended since the oldest open snapshot.
-- `gone_before`: no job was due before this time. It allows 15 seconds for transactions that have not committed.
-- The settings force the index jobs_due_by_task: rows of this table change faster than its statistics.
create or replace function jobs_due(tasks text[], since timestamptz[], counted_max integer)
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
