-- queued or running → finalizing: records the outputs of a generation and its cost, and continues with the step that fetches them, in the
-- running job or in a new one. Closes the submit of this job. Queued work passes through running. The deadline becomes `store_hours` from now at least.
-- Returns no row when another job claimed the generation, or when it has ended, except to a repeated call, which changes nothing.
-- The caller sends the notice after the commit: see tell_progress. Locks: the generation, vendor slot, job, attempt.
create or replace function record_outputs(
  generation text, job_fence integer, from_states text[], new_outputs jsonb, usd numeric, quantity double precision, unit text, store_hours integer
) returns table (goes_on boolean, started_at timestamptz, deadline_at timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  moved record;
  is_same_job boolean;
begin
  perform set_config('atelier.notices', 'deferred', true);
  update generations g set state = 'finalizing', started_at = coalesce(g.started_at, present()), progress = null, queue_position = null,
      deadline_at = greatest(g.deadline_at, present() + store_hours * interval '1 hour')
    where g.id = generation and g.fence = job_fence and g.state = any (from_states)
    returning g.family_id, g.attempt, g.started_at, g.deadline_at into moved;
  if not found then
    -- The confirmation of an earlier commit may have been lost.
    return query
      select case when g.state = 'finalizing' and g.fence = job_fence
          then queue_next_step(generation, g.family_id, 'finaliseGeneration', 0, true) else false end, g.started_at, g.deadline_at
        from generations g join generation_attempts a on a.generation_id = g.id and a.number = g.attempt
        where g.id = generation and a.gathered_fence = job_fence;
    return;
  end if;
  perform release_vendor_slot(generation);
  is_same_job := queue_next_step(generation, moved.family_id, 'finaliseGeneration', 0, true);
  update generation_attempts a set outputs = new_outputs, gathered_fence = job_fence, cost_usd = usd, cost_quantity = quantity,
      cost_unit = unit, jobs_begun = is_same_job::integer, tries = 0, asked_by = case when a.asked_fence <> job_fence then a.asked_by end,
      asked_fence = nullif(a.asked_fence, job_fence), answer_until = case when a.asked_fence <> job_fence then a.answer_until end
    where a.generation_id = generation and a.number = moved.attempt;
  return query select is_same_job, moved.started_at, moved.deadline_at;
end $$;
