-- Makes the waiting jobs due now that are due later than their task ever pauses, at most `rows_max` of each task; returns how many.
-- `longest`: the longest pause of a task. `exceptions`: longer pauses, by name of task. graphile-worker itself delays a job that threw by
-- exp(attempts) seconds, which is added. Locks: the jobs; locked ones are skipped.
create or replace function jobs_reset_far_future(longest interval, exceptions jsonb, rows_max integer) returns integer
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moved integer;
begin
  update graphile_worker._private_jobs set run_at = now() where id = any(array(
    select far.id from (
      select id as task_id, coalesce((exceptions ->> identifier)::interval, longest) as longest from graphile_worker._private_tasks
    ) task cross join lateral (
      select id from graphile_worker._private_jobs
        where task_id = task.task_id and is_available = true and run_at > now() + task.longest
          and (attempts = 0 or run_at > now() + task.longest + exp(least(attempts, 10)) * interval '1 second')
        order by run_at desc limit rows_max for update skip locked
    ) far
  ));
  get diagnostics moved = row_count;
  return moved;
end $$;
