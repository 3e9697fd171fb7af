-- Work that has ended needs no inputs any more. Files that served a result, or work that was paid for, stay used. A file that served neither
-- returns to its owner's quota of unused files: a start and a free cancel would otherwise take any number of files out of it.
-- Locks: the key, then the files in the order of their identifiers, as a start; the owner's count of unused files.
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
