-- Tells all processes that a generation that goes on has moved: its state, its progress, its place in a queue, or who makes it.
create or replace function tell_progress() returns trigger language plpgsql as $$
begin
  perform pg_notify('progress', new.id);
  return null;
end $$;
