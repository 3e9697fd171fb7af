-- Trigger: dequeues a start when a job takes the generation for the first time.
create or replace function leave_start_line_when_taken() returns trigger language plpgsql as $$
begin
  perform dequeue_start(new.generation_id, true);
  return null;
end $$;
