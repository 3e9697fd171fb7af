-- Trigger: notifies all processes that the state, progress, place in the vendor's queue or model of an open generation has changed.
create or replace function tell_progress() returns trigger language plpgsql as $$
begin
  perform pg_notify('progress', new.id);
  return null;
end $$;
