-- Trigger: removes the inputs of a generation that has ended from the inputs in use. Input files of a result, or of paid work, stay used.
-- Other files return to their owner's quota of unused files: otherwise starts with a free cancel could take any number of files out of the
-- quota.
-- Locks: the key, then the files in the order of their identifiers, as a start does; then the owner's count of unused files.
create or replace function forget_inputs_in_use() returns trigger language plpgsql as $$
declare
  inputs text[];
begin
  delete from inputs_in_use where generation_id = new.id;
  inputs := array(select distinct input #>> '{}' from jsonb_path_query(new.inputs, '$.*[*]') as input);
  perform from api_keys where id = new.key_id for no key update;
  perform from files where id = any (inputs) and not served order by id for no key update;
  if new.state = 'ready' or new.credits_charged > 0 then
    update files set served = true where id = any (inputs) and not served;
  else
    update files f set used = false
      where f.id = any (inputs) and f.used and not f.served and not exists (select from inputs_in_use i where i.input_id = f.id);
  end if;
  return null;
end $$;
