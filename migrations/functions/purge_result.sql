-- Deletes the result of a generation of `owner`, as detach_result does, if the generation ended before `horizon`. Returns a verdict, and
-- with `deleted` the key of the object to remove, if there is one:
--   deleted
--   nothing   the generation does not exist, or has no result
--   later     the generation has not ended before `horizon`, an open generation needs its result, or another transaction locks it
--   broken    an error occurred and is in the database log; this generation is unchanged
-- Locks: the generation.
create or replace function purge_result(generation text, owner text, horizon timestamptz, out verdict text, out storage_key text)
language plpgsql as $$
declare
  ended timestamptz;
begin
  select finished_at into ended from generations where id = generation and owner_id = owner;
  if not found then
    verdict := 'nothing';
    return;
  elsif ended is null or ended >= horizon then
    verdict := 'later';
    return;
  end if;
  select t.verdict, t.storage_key into verdict, storage_key from detach_result(generation, owner, 'retention') t;
  verdict := case when verdict in ('needed', 'unfinished') then 'later' when verdict = 'unknown' then 'nothing' else verdict end;
exception
  when lock_not_available or deadlock_detected then
    verdict := 'later';
    storage_key := null;
  when others then
    raise warning 'the result of % could not be deleted: %', generation, sqlerrm;
    verdict := 'broken';
    storage_key := null;
end $$;
