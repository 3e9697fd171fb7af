-- Deletes the row of a generation of `owner` with its attempts, if it ended before `horizon`. Its ledger lines, and its part in the usage
-- of its day, stay. Its result must be deleted before, so that no start can use it as an input, and no job may need the row to find its
-- objects. A recorded generation of the editor that never ended is deleted too: it has no credits and no objects here. Returns a verdict:
--   purged
--   nothing   the generation does not exist
--   later     it has not ended or ended later, has a result, a job needs it, or another transaction locks it
--   broken    an error, which is in the log of the database; only this row is unchanged
-- Locks: the generation, against starts that lock it as an input for key share.
create or replace function purge_generation(generation text, owner text, horizon timestamptz) returns text language plpgsql as $$
declare
  old record;
begin
  select finished_at, account_id, result into old from generations where id = generation and owner_id = owner for update;
  if not found then
    return 'nothing';
  elsif coalesce(old.finished_at >= horizon, old.account_id is not null) then
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
  return 'purged';
exception
  when lock_not_available or deadlock_detected then
    return 'later';
  when others then
    raise warning 'the generation % could not be deleted: %', generation, sqlerrm;
    return 'broken';
end $$;
