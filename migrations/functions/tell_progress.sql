-- Trigger: notifies all processes that the state, progress, place in the vendor's queue or model of an open generation has changed.
-- A commit with a notice waits in turn for a lock of the whole server. So functions that set atelier.notices to deferred leave the notice
-- to their caller, which sends the notices of several commits together.
create or replace function tell_progress() returns trigger language plpgsql as $$
begin
  if current_setting('atelier.notices', true) is distinct from 'deferred' then
    perform pg_notify('progress', new.id);
  end if;
  return null;
end $$;
