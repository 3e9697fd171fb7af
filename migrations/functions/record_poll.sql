-- Records what the vendor reported in a poll: with `begins` the work becomes running, with `has_report` it gets the place in the vendor's queue
-- and the progress. Sets the run count to 0, since no process ended during the step. With `is_retry` counts a retry, otherwise sets the
-- retries to 0.
-- Returns whether the generation has changed, and since when it runs. Returns no row, and changes nothing, when another job has claimed the
-- generation, or when it has ended. The caller sends the notice after the commit: see tell_progress. Locks: the generation, attempt.
create or replace function record_poll(
  generation text, job_fence integer, is_retry boolean, begins boolean, from_states text[], has_report boolean, place integer,
  share double precision
) returns table (has_moved boolean, running_since timestamptz) language plpgsql as $$
begin
  perform set_config('atelier.notices', 'deferred', true);
  has_moved := false;
  if has_report then
    update generations set state = case when begins and state = any (from_states) then 'running' else state end,
        started_at = case when begins then coalesce(started_at, present()) else started_at end, queue_position = place, progress = share
      where id = generation and fence = job_fence and finished_at is null returning started_at into running_since;
    has_moved := found;
  end if;
  update generation_attempts a set jobs_begun = 0, tries = case when is_retry then a.tries + 1 else 0 end from generations g
    where g.id = generation and g.fence = job_fence and g.finished_at is null and a.generation_id = g.id and a.number = g.attempt;
  if found then
    return next;
  end if;
end $$;
