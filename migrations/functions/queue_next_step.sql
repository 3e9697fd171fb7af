-- Queues a job for the next step of a generation, due in `delay_seconds`. With `goes_on`, changes the running job of the generation to
-- that step instead, if there is one, and returns true. Locks: the job.
create or replace function queue_next_step(generation text, family text, next_task text, delay_seconds double precision, goes_on boolean)
returns boolean language plpgsql as $$
begin
  if goes_on and jobs_continue('generation:' || generation, next_task) then
    return true;
  end if;
  perform jobs_add(array[(next_task, json_build_object('generationId', generation), null, now() + delay_seconds * interval '1 second',
    30000, 'generation:' || generation, 0, array['family:' || family])::graphile_worker.job_spec]);
  return false;
end $$;
