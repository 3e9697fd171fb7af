-- Work that has ended needs no inputs any more.
create or replace function forget_inputs_in_use() returns trigger language plpgsql as $$
begin
  delete from inputs_in_use where generation_id = new.id;
  return null;
end $$;
