-- Erases one row of a deleted team or person: of a generation its result and what was asked, as the books need the rest; a file; a delivery
-- with its attempts. A row that cannot go yet, or not at all, is noted in postponed_deletions and tried again after a pause that doubles
-- from one minute to a day. Gives a verdict, and the key of the object of a result that is to be removed: see queue_removals.
--   erased   also when there was nothing left
--   later    unfinished work needs it, or somebody holds it
--   broken   the row alone is left as it was, and the log of the database says why
-- Locks: the row.
create or replace function purge_owned_row(row_kind text, erased_id text, owner text, out verdict text, out storage_key text) language plpgsql as $$
declare
  done text;
begin
  begin
    perform set_config('lock_timeout', '400ms', true);
    if row_kind = 'generation' then
      select t.verdict, t.storage_key into done, storage_key from detach_result(erased_id, owner, 'deletion') t;
      if done not in ('needed', 'unfinished') then
        update generations set prompt = null, parameters = '{}', inputs = '{"imageIds":[],"videoIds":[],"audioIds":[],"model3dIds":[]}',
            axes = '{}', reference = null, metadata = '{}',
            failure = case when failure is null then null else jsonb_build_object('code', failure->'code', 'reason', failure->'reason') end
          where id = erased_id and owner_id = owner;
        update generation_attempts set handle = null, outputs = null where generation_id = erased_id;
      end if;
    elsif row_kind = 'file' then
      done := delete_file(erased_id, owner);
    else
      delete from webhook_attempts where delivery_id = erased_id;
      delete from webhook_deliveries where id = erased_id;
    end if;
    verdict := case when done in ('needed', 'unfinished') then 'later' else 'erased' end;
  exception
    when lock_not_available or deadlock_detected then
      verdict := 'later';
      storage_key := null;
    when others then
      raise warning 'the % % of a deleted owner could not be erased: %', row_kind, erased_id, sqlerrm;
      verdict := 'broken';
      storage_key := null;
  end;
  if verdict = 'erased' then
    delete from postponed_deletions p where p.owner_id = owner and p.row_id = erased_id;
  else
    insert into postponed_deletions as p (owner_id, row_id, kind, tries, retry_at)
      values (owner, erased_id, row_kind, 1, present() + interval '1 minute')
      on conflict (owner_id, row_id) do update set tries = p.tries + 1,
        retry_at = present() + least(interval '1 day', interval '1 minute' * 2 ^ least(p.tries, 12));
  end if;
end $$;
