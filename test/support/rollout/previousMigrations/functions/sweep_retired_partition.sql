-- Clears up behind one retired partition: queues the removal of the objects that results of the next `rows_max` rows have in the storage,
-- and when none is left drops the table, whose name it gives then. `next` says what is to be done:
--   on       there is more of it
--   waits    as many removals are queued as should be at once
--   done     nothing is left that could be dropped now, or another process is at it
-- What it did stands in the same transaction, so that a process that dies leaves the rest to the next one. Locks: the rows of partitions.
create or replace function sweep_retired_partition(rows_max integer, removals_max integer) returns table (next text, dropped text)
language plpgsql as $$
declare
  retired record;
  keys text[];
  last_id text;
begin
  perform set_config('lock_timeout', '400ms', true);
  for retired in select * from retired_partitions where dropped_at is null order by name for update skip locked loop
    -- A database that was copied by hand may use the name anew: what belongs to a table is never cleared up.
    if exists (select from pg_class where oid = to_regclass(quote_ident(retired.name)) and relispartition) then
      update retired_partitions set dropped_at = present() where name = retired.name;
      return query select 'on', null::text;
      return;
    end if;
    if retired.of_table = 'generations' and to_regclass(quote_ident(retired.name)) is not null then
      if (select count(*) >= removals_max from (
            select from graphile_worker.jobs where task_identifier = 'removeObject' limit removals_max) as queued) then
        return query select 'waits', null::text;
        return;
      end if;
      execute format('select max(id), array_agg(result->>''storageKey'') filter (where result ? ''storageKey'')
        from (select id, result from %I where id > $1 order by id limit $2) as next', retired.name)
        into last_id, keys using retired.swept_to, rows_max;
      if last_id is not null then
        perform graphile_worker.add_jobs(array(
          select ('removeObject', json_build_object('storageKey', key), null, null, 30000, null, null, null)::graphile_worker.job_spec
            from unnest(keys) as key
        ));
        update retired_partitions set swept_to = last_id where name = retired.name;
        return query select 'on', null::text;
        return;
      end if;
    end if;
    begin
      execute format('drop table if exists %I', retired.name);
    exception when others then
      -- Something that we know nothing of depends on it, or somebody reads it: the others do not wait for that.
      raise warning 'the retired partition % could not be dropped yet: %', retired.name, sqlerrm;
      continue;
    end;
    update retired_partitions set dropped_at = present() where name = retired.name;
    return query select 'on', retired.name;
    return;
  end loop;
  return query select 'done', null::text;
end $$;
