-- Trigger: counts a file as unused again. Locks: the owner's count.
create or replace function count_returned_file() returns trigger language plpgsql as $$
begin
  insert into unused_files (owner_id, files, bytes) values (new.owner_id, 1, new.size_bytes)
    on conflict (owner_id) do update set files = unused_files.files + 1, bytes = unused_files.bytes + excluded.bytes;
  return null;
end $$;
