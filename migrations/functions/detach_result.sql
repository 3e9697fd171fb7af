-- Removes the result of a generation of `owner` from its row, and records in the row when and by whom it was deleted. Also returns the key
-- of the object to remove, if there is one: see queue_removals. Verdicts:
--   deleted
--   nothing      it was deleted before, or the generation ended without a result
--   unknown      the generation does not exist, or belongs to another owner
--   unfinished   the generation has not ended
--   needed       an open generation uses the result as an input
-- Locks: the generation, against starts that lock it as an input for key share. Skips links that are locked: they expire.
create or replace function detach_result(generation text, owner text, by_whom text, out verdict text, out storage_key text) language plpgsql as $$
declare
  ended timestamptz;
  stored jsonb;
begin
  select finished_at, result into ended, stored from generations where id = generation and owner_id = owner for update;
  if not found then
    verdict := 'unknown';
    return;
  elsif ended is null then
    verdict := 'unfinished';
    return;
  elsif stored is null or stored ? 'deletedAt' then
    verdict := 'nothing';
    return;
  -- A separate statement, so that it sees a start that held the lock until now.
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
    ) links where l.key_id = links.key_id and l.generation_id = generation;
  perform pg_notify('generation', generation);
  verdict := 'deleted';
  storage_key := stored->>'storageKey';
end $$;
