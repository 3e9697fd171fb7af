-- Trigger: lists the inputs of a new generation, which cannot be deleted until it ends.
create or replace function note_inputs_in_use() returns trigger language plpgsql as $$
begin
  insert into inputs_in_use (generation_id, input_id)
    select distinct new.id, input #>> '{}' from jsonb_path_query(new.inputs, '$.*[*]') as input;
  return null;
end $$;
