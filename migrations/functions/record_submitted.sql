-- Records the vendor's handle for a generation and continues with the first poll. With `is_begun` the work becomes running, otherwise it
-- stays queued at `place`. Closes the submit of this job. For work that has ended meanwhile, records the handle and queues the cancel at the vendor.
-- Returns a verdict:
--   continues  the running job polls next: `delay_seconds` was 0, because the vendor asked for no pause or the job waits for the poll
--              itself
--   queued     the job of the poll is queued; `released_job`: the running job `own_job` of the worker pool `own_pool` became that job, as in
--              reschedule_step
--   lost       another job has claimed the generation, or it has ended
-- The caller sends the notice after the commit: see tell_progress. Locks: the generation, job, attempt.
create or replace function record_submitted(
  generation text, job_fence integer, attempt_number integer, new_handle jsonb, is_begun boolean, from_states text[], place integer,
  delay_seconds double precision, own_job bigint, own_pool text
) returns table (verdict text, released_job bigint) language plpgsql as $$
declare
  family text;
  is_ours boolean;
  is_same_job boolean := false;
  is_new boolean;
begin
  perform set_config('atelier.notices', 'deferred', true);
  if is_begun then
    update generations set state = 'running', started_at = coalesce(started_at, present()), queue_position = null
      where id = generation and fence = job_fence and state = any (from_states) returning family_id into family;
  else
    update generations set queue_position = place, progress = null
      where id = generation and fence = job_fence and finished_at is null returning family_id into family;
  end if;
  is_ours := found;
  if is_ours then
    -- A job that is interrupted after this finds the handle, and queues the poll.
    is_same_job := delay_seconds <= 0
      and exists (select from graphile_worker.jobs j where j.key = 'generation:' || generation and j.locked_at is not null);
    if not is_same_job and delay_seconds >= 1 and own_job is not null then
      released_job := jobs_release(own_job, own_pool, 'generation:' || generation, 'pollGeneration',
        json_build_object('generationId', generation), now() + delay_seconds * interval '1 second', array['family:' || family]);
    end if;
    if not is_same_job and released_job is null then
      perform queue_next_step(generation, family, 'pollGeneration', delay_seconds, false);
    end if;
  end if;
  update generation_attempts set handle = new_handle, submitted_at = present(), jobs_begun = is_same_job::integer, tries = 0,
      asked_by = case when asked_fence <> job_fence then asked_by end, asked_fence = nullif(asked_fence, job_fence),
      answer_until = case when asked_fence <> job_fence then answer_until end
    where generation_id = generation and number = attempt_number and handle is null
      and (is_ours or exists (select from generations where id = generation and finished_at is not null));
  is_new := found;
  if is_new and not is_ours then
    perform graphile_worker.add_job('cancelAtProvider', json_build_object('generationId', generation), max_attempts => 30000,
      job_key => 'cancel:' || generation, flags => array['family:' || family_id]) from generations where id = generation;
  end if;
  verdict := case when is_same_job then 'continues' when is_ours then 'queued' else 'lost' end;
  return next;
end $$;
