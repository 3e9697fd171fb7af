-- Queues another run of a step in `delay_seconds`, and records what the vendor reported, see record_poll.
-- The running job `own_job` of the worker pool `own_pool` becomes that run, unless it is due within a second: the process that runs the job
-- must first have ended it. Returns that job, and whether the generation has changed. Returns no row, and changes nothing, when another job
-- has claimed the generation, or when it has ended. The caller sends the notice after the commit: see tell_progress.
-- Locks: the generation, attempt, job.
create or replace function reschedule_step(
  generation text, job_fence integer, next_task text, new_payload json, delay_seconds double precision, is_retry boolean,
  begins boolean, from_states text[], has_report boolean, place integer, share double precision,
  new_flags text[], own_job bigint, own_pool text
) returns table (released_job bigint, has_moved boolean) language plpgsql as $$
declare
  due_at constant timestamptz := now() + delay_seconds * interval '1 second';
begin
  select polled.has_moved into has_moved
    from record_poll(generation, job_fence, is_retry, begins, from_states, has_report, place, share) as polled;
  if not found then
    return;
  end if;
  if delay_seconds >= 1 and own_job is not null then
    released_job := jobs_release(own_job, own_pool, 'generation:' || generation, next_task, new_payload, due_at, new_flags);
  end if;
  if released_job is null then
    perform jobs_add(array[(next_task, new_payload, null, due_at, 30000, 'generation:' || generation, 0, new_flags)::graphile_worker.job_spec]);
  end if;
  return next;
end $$;
