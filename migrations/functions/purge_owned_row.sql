-- Purges one row of a deleted owner, which is a team or a person:
--   generation   deletes the result and the request, but keeps the row, because the ledger needs it
--   file         deletes the row
--   delivery     deletes the row and its attempts
-- Returns a verdict:
--   purged   the row was purged, or did not exist
--   later    the generation is open, an open generation needs the row, or another transaction locks it
--   broken   an error occurred, which is in the log of the database; the row is unchanged
-- A row with the verdict later or broken is inserted into postponed_deletions. The delay of its retries doubles from one minute to a day.
-- Also returns the storage key of the deleted result, for queue_removals.
-- Locks: the row. Waits at most 0.4 s for a lock.
create or replace function purge_owned_row(row_kind text, purged_id text, owner text, out verdict text, out storage_key text) language plpgsql as $$
declare
  outcome text;
begin
  begin
    perform set_config('lock_timeout', '400ms', true);
    if row_kind = 'generation' then
      select t.verdict, t.storage_key into outcome, storage_key from detach_result(purged_id, owner, 'deletion') t;
      if outcome not in ('needed', 'unfinished') then
        update generations set prompt = null, parameters = '{}', inputs = '{"imageIds":[],"videoIds":[],"audioIds":[],"model3dIds":[]}',
            axes = '{}', reference = null, metadata = '{}',
            failure = case when failure is null then null else jsonb_build_object('code', failure->'code', 'reason', failure->'reason') end
          where id = purged_id and owner_id = owner;
        update generation_attempts set handle = null, outputs = null where generation_id = purged_id;
      end if;
    elsif row_kind = 'file' then
      outcome := delete_file(purged_id, owner);
    else
      delete from webhook_attempts where delivery_id = purged_id;
      delete from webhook_deliveries where id = purged_id;
      delete from callbacks where delivery_id = purged_id;
    end if;
    verdict := case when outcome in ('needed', 'unfinished') then 'later' else 'purged' end;
  exception
    when lock_not_available or deadlock_detected then
      verdict := 'later';
      storage_key := null;
    when others then
      raise warning 'the % % of a deleted owner could not be deleted: %', row_kind, purged_id, sqlerrm;
      verdict := 'broken';
      storage_key := null;
  end;
  if verdict = 'purged' then
    delete from postponed_deletions p where p.owner_id = owner and p.row_id = purged_id;
  else
    insert into postponed_deletions as p (owner_id, row_id, kind, tries, retry_at)
      values (owner, purged_id, row_kind, 1, present() + interval '1 minute')
      on conflict (owner_id, row_id) do update set tries = p.tries + 1,
        retry_at = present() + least(interval '1 day', interval '1 minute' * 2 ^ least(p.tries, 12));
  end if;
end $$;
