-- Returns for each task the number of due jobs, at most `counted_max`, and the milliseconds until its next job is due.
-- Jobs due before `since` of their task are not counted. While a snapshot is open, the index keeps the entries of jobs that ended after it;
-- without `since`, each call would read all of these entries.
-- `gone_before` is the `since` of a later call: the due time of the first counted job, or else now, minus 15 seconds for transactions that
-- have not committed.
-- The settings force the index jobs_due_by_task: this table changes faster than its statistics, with which PostgreSQL would choose slower
-- plans.
create or replace function jobs_due(tasks text[], since timestamptz[], counted_max integer)
returns table (task text, due integer, next_milliseconds double precision, gone_before timestamptz)
language plpgsql stable set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off as $$
begin
  return query select task_row.identifier, due_jobs.due, next_job.milliseconds, coalesce(due_jobs.oldest, now()) - interval '15 seconds'
    from unnest(tasks, since) as polled (identifier, since)
      join graphile_worker._private_tasks task_row on task_row.identifier = polled.identifier
      cross join lateral (
        select count(*)::integer as due, min(due_job.run_at) as oldest from (
          select job.run_at from graphile_worker._private_jobs job
            where job.task_id = task_row.id and job.is_available = true and job.run_at >= polled.since and job.run_at <= now()
            order by job.run_at limit counted_max
        ) as due_job
      ) as due_jobs
      left join lateral (
        select (extract(epoch from job.run_at - now()) * 1000)::double precision as milliseconds from graphile_worker._private_jobs job
          where job.task_id = task_row.id and job.is_available = true and job.run_at > now() order by job.run_at limit 1
      ) as next_job on true;
end $$;
