-- What unfinished work has as its inputs, files and generations alike: whatever stands here is not deleted. As large as what goes on now,
-- however long the history is.
create table inputs_in_use (
  generation_id text not null,
  input_id text not null,
  primary key (generation_id, input_id)
);
create index inputs_in_use_by_input on inputs_in_use (input_id);

-- Both are kept up in functions/. They are whole here already, since work may start before the functions are applied.
create function note_inputs_in_use() returns trigger language plpgsql as $$
begin
  insert into inputs_in_use (generation_id, input_id)
    select distinct new.id, input #>> '{}' from jsonb_path_query(new.inputs, '$.*[*]') as input;
  return null;
end $$;
create function forget_inputs_in_use() returns trigger language plpgsql as $$
begin
  delete from inputs_in_use where generation_id = new.id;
  return null;
end $$;

create trigger note_inputs_in_use after insert on generations for each row
  when (new.finished_at is null and jsonb_path_exists(new.inputs, '$.*[*]')) execute function note_inputs_in_use();
create trigger forget_inputs_in_use after update of finished_at on generations for each row
  when (old.finished_at is null and new.finished_at is not null and jsonb_path_exists(new.inputs, '$.*[*]'))
  execute function forget_inputs_in_use();

-- Nothing starts or ends meanwhile, so only the index of what goes on is read: whoever asks for distinct rows here walks the whole history.
insert into inputs_in_use (generation_id, input_id)
  select id, input #>> '{}' from generations cross join jsonb_path_query(inputs, '$.*[*]') as input where finished_at is null
  on conflict do nothing;
