-- The first attempt is written down when a job takes the work: with that it leaves its line, whichever release runs the job. The function
-- is kept up in functions/. It is whole here already, since work may be taken before the functions are applied.
create function leave_start_line_when_taken() returns trigger language plpgsql as $$
begin
  delete from waiting_starts where generation_id = new.generation_id;
  return null;
end $$;
create trigger leave_start_line_when_taken after insert on generation_attempts for each row
  when (new.number = 1) execute function leave_start_line_when_taken();
