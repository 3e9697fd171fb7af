-- Takes the result of a generation of `owner` out of its row, as detach_result does, if the work ended before `horizon`. Gives a verdict, and
-- with `deleted` the key of the object that is to be removed, where there is one:
--   deleted
--   nothing   there is no such generation any more, or nothing is left of its result
--   later     it ended after that or has not ended, work that goes on needs it, or somebody holds it
--   broken    it could not be done: the row alone is left as it was, and the log of the database says why
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
