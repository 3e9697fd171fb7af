-- Deletes a file of `owner`, or of any owner when that is null, and queues the removal of its object. Returns a verdict:
--   deleted
--   unknown   the file does not exist, belongs to another owner, or has expired
--   needed    an open generation uses it as an input
-- Locks: the file, as a start does before it lists the file as an input; then the owner's count of unused files.
create or replace function delete_file(file text, owner text) returns text language plpgsql as $$
declare
  object_key text;
begin
  select storage_key into object_key from files
    where id = file and (owner is null or owner_id = owner) and expires_at > present() for update;
  if not found then
    return 'unknown';
  end if;
  -- A separate statement, so that it sees a start that held the lock until now.
  if exists (select from inputs_in_use where input_id = file) then
    return 'needed';
  end if;
  delete from files where id = file;
  perform graphile_worker.add_job('removeObject', json_build_object('storageKey', object_key), max_attempts => 30000);
  return 'deleted';
end $$;
