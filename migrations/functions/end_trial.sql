-- Gives up the place of a trial that has said nothing: another may come. Locks: breakers.
create or replace function end_trial(generation text) returns void language plpgsql as $$
begin
  update breakers set trial_by = null, trial_until = null where trial_by = generation;
  if found then
    perform pg_notify('catalog', 'breakers');
  end if;
end $$;
