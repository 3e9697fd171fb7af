-- Deletes what a generation of `owner` has made, as its owner would, if the work ended before `horizon`. Gives a verdict:
--   deleted
--   nothing   there is no such generation any more, or nothing is left of its result
--   later     it ended after that or has not ended, work that goes on needs it, or somebody holds it
--   broken    it could not be done: the row alone is left as it was, and the log of the database says why
-- Locks: the generation.
create or replace function forget_result(generation text, owner text, horizon timestamptz) returns text language plpgsql as $$
declare
  ended timestamptz;
  verdict text;
begin
  select finished_at into ended from generations where id = generation and owner_id = owner;
  if not found then
    return 'nothing';
  elsif ended is null or ended >= horizon then
    return 'later';
  end if;
  verdict := delete_result(generation, owner, 'retention');
  return case when verdict in ('needed', 'unfinished') then 'later' when verdict = 'deleted' then 'deleted' else 'nothing' end;
exception
  when lock_not_available or deadlock_detected then
    return 'later';
  when others then
    raise warning 'the result of % could not be deleted: %', generation, sqlerrm;
    return 'broken';
end $$;
