-- Deletes a file of `owner`, or of anybody where that is null, and queues the removal of its content. Gives a verdict:
--   deleted
--   unknown   there is none, it is another's, or its time is over
--   needed    unfinished work has it as an input
-- Locks: the file, as a start does before it lists the file as an input; then the owner's count of unused files.
create or replace function delete_file(file text, owner text) returns text language plpgsql as $$
declare
  content text;
begin
  select storage_key into content from files
    where id = file and (owner is null or owner_id = owner) and expires_at > present() for update;
  if not found then
    return 'unknown';
  end if;
  -- A statement of its own, so that it sees the start which held the file until now.
  if exists (select from inputs_in_use where input_id = file) then
    return 'needed';
  end if;
  delete from files where id = file;
  perform graphile_worker.add_job('removeObject', json_build_object('storageKey', content), max_attempts => 30000);
  return 'deleted';
end $$;
