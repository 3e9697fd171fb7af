-- Trigger: removes files from the count of unused files: one that was used or has failed, or deleted ones, in the order of their owners, so
-- that two deletions do not deadlock. The upload of a file adds it to the count.
create or replace function recount_unused_files() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update unused_files set files = greatest(0, files - 1), bytes = greatest(0, bytes - old.size_bytes) where owner_id = old.owner_id;
    return null;
  end if;
  update unused_files u set files = greatest(0, u.files - deleted.files), bytes = greatest(0, u.bytes - deleted.bytes)
    from (select counted.owner_id, counted.files, counted.bytes
            from (select owner_id, count(*) as files, sum(size_bytes) as bytes
                    from removed where not used and state <> 'failed' group by owner_id) counted
            join unused_files locked on locked.owner_id = counted.owner_id
           order by counted.owner_id for update of locked) deleted
   where u.owner_id = deleted.owner_id;
  return null;
end $$;
