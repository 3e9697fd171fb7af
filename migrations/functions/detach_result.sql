-- Takes what a generation of `owner` has made out of its row, which says from then on when, and by whom. `storage_key` is of the object
-- that is to be removed, where there is one: see queue_removals. Gives a verdict:
--   deleted
--   nothing      it was deleted before, or the work ended without a result
--   unknown      there is no such generation, or it is another's
--   unfinished
--   needed       unfinished work has it as an input
-- Locks: the generation, against starts that hold it as an input for key share. Links that are just being noted are left to run out.
create or replace function detach_result(generation text, owner text, by_whom text, out verdict text, out storage_key text) language plpgsql as $$
declare
  ended timestamptz;
  made jsonb;
begin
  select finished_at, result into ended, made from generations where id = generation and owner_id = owner for update;
  if not found then
    verdict := 'unknown';
    return;
  elsif ended is null then
    verdict := 'unfinished';
    return;
  elsif made is null or made ? 'deletedAt' then
    verdict := 'nothing';
    return;
  -- A statement of its own, so that it sees the start which held the generation until now.
  elsif exists (select from inputs_in_use where input_id = generation) then
    verdict := 'needed';
    return;
  end if;
  update generations set result = jsonb_build_object(
      'deletedAt', to_char(present() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'deletedBy', by_whom)
    where id = generation;
  delete from result_links l using (
      select k.key_id from result_links k where k.generation_id = generation
          and k.key_id in (select id from api_keys where team_id = owner or (team_id is null and user_id = owner))
        for update skip locked
    ) held where l.key_id = held.key_id and l.generation_id = generation;
  perform pg_notify('generation', generation);
  verdict := 'deleted';
  storage_key := made->>'storageKey';
end $$;
