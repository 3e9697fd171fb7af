-- Removes one retired partition step by step: queues the removal of the objects of the results in the next `rows_max` rows, and drops the
-- table when no rows are left. `dropped` is the name of a dropped table. `next`:
--   on       call again
--   waits    `removals_max` removals are queued already
--   done     nothing can be dropped now, or another process does it
-- The position is stored in the same transaction, so that another process continues after a crash. Locks: rows of retired_partitions.
create or replace function sweep_retired_partition(rows_max integer, removals_max integer) returns table (next text, dropped text)
language plpgsql as $$
declare
  retired record;
  keys text[];
  last_id text;
begin
  perform set_config('lock_timeout', '400ms', true);
  for retired in select * from retired_partitions where dropped_at is null order by name for update skip locked loop
    -- In a database that was copied by hand, an attached partition may have this name: never remove its rows.
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
      -- An object outside of this service depends on the table, or a session reads it: continue with the other tables.
      raise warning 'the retired partition % could not be dropped yet: %', retired.name, sqlerrm;
      continue;
    end;
    update retired_partitions set dropped_at = present() where name = retired.name;
    return query select 'on', retired.name;
    return;
  end loop;
  return query select 'done', null::text;
end $$;
