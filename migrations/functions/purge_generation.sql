-- Deletes the row of a generation of `owner` with its attempts, if the work ended before `horizon`; its ledger lines and what it adds to
-- the usage of its day stay. Its stored result must have gone, after which no start takes it as an input, and no job may need the
-- row any more to know where its objects are. What the editor never ended goes by its age alone: it holds nothing of ours. Gives a verdict:
--   forgotten
--   nothing   there is no such generation
--   later     it ended after that or has not ended, has a stored result, a job still needs it, or somebody holds it
--   broken    it could not be done: the row alone is left as it was, and the log of the database says why
-- Locks: the generation, against starts that hold it as an input for key share.
create or replace function purge_generation(generation text, owner text, horizon timestamptz) returns text language plpgsql as $$
declare
  old record;
begin
  select finished_at, source, result into old from generations where id = generation and owner_id = owner for update;
  if not found then
    return 'nothing';
  elsif coalesce(old.finished_at >= horizon, old.source <> 'editor') then
    return 'later';
  elsif old.result ? 'storageKey' then
    return 'later';
  elsif exists (select from graphile_worker.jobs
      where key = any (array['orphans:' || generation, 'late:' || generation, 'cancel:' || generation, 'generation:' || generation])) then
    return 'later';
  end if;
  delete from inputs_in_use where generation_id = generation;
  delete from postponed_results where generation_id = generation;
  delete from generation_attempts where generation_id = generation;
  perform set_config('atelier.retention', 'on', true);
  delete from generations where id = generation;
  perform set_config('atelier.retention', '', true);
  return 'forgotten';
exception
  when lock_not_available or deadlock_detected then
    return 'later';
  when others then
    raise warning 'the generation % could not be forgotten: %', generation, sqlerrm;
    return 'broken';
end $$;
