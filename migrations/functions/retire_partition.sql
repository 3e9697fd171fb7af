-- Detaches the oldest partition of `of_table` that is older than `kept_days` and that can_retire_partition allows, and the partition of
-- `attempts_table` with the same bounds. Their rows disappear from the tables. `only_empty`: only a partition without rows. Lists both in
-- retired_partitions, where sweep_retired_partition finds them. Returns the name of the partition, or null. The ledger stays: it refers to
-- generations by identifier, without a foreign key.
-- Locks, waiting for 0.4 s at most: both tables in access exclusive mode, so that no transaction begins to need the rows meanwhile.
create or replace function retire_partition(of_table text, attempts_table text, kept_days integer, only_empty boolean) returns text
language plpgsql as $$
declare
  horizon constant timestamptz := present() - kept_days * interval '1 day';
  oldest record;
  attempts_partition text;
begin
  perform set_config('lock_timeout', '400ms', true);
  if not pg_try_advisory_xact_lock(hashtextextended('atelier.partitions', 0)) then
    return null;
  end if;
  for oldest in
    select p.partition_name, p.from_id, p.until_id from partitions_of(of_table) p join partitioned_tables() t on t.table_name = of_table
      where p.until_id <= first_id(t.prefix, horizon) order by p.until_id
  loop
    continue when not can_retire_partition(of_table, oldest.partition_name, oldest.from_id, oldest.until_id, horizon, only_empty);
    execute format('lock table only %I, only %I in access exclusive mode', of_table, attempts_table);
    continue when not can_retire_partition(of_table, oldest.partition_name, oldest.from_id, oldest.until_id, horizon, only_empty);
    insert into retired_partitions (name, of_table, from_id, until_id, retired_at)
      values (oldest.partition_name, of_table, oldest.from_id, oldest.until_id, present())
      on conflict (name) do update set from_id = excluded.from_id, until_id = excluded.until_id, retired_at = excluded.retired_at,
        swept_to = '', dropped_at = null;
    execute format('alter table %I detach partition %I', of_table, oldest.partition_name);
    select p.partition_name into attempts_partition from partitions_of(attempts_table) p
      where p.from_id is not distinct from oldest.from_id and p.until_id = oldest.until_id;
    if found then
      insert into retired_partitions (name, of_table, from_id, until_id, retired_at)
        values (attempts_partition, attempts_table, oldest.from_id, oldest.until_id, present())
        on conflict (name) do update set from_id = excluded.from_id, until_id = excluded.until_id, retired_at = excluded.retired_at,
          swept_to = '', dropped_at = null;
      execute format('alter table %I detach partition %I', attempts_table, attempts_partition);
    end if;
    return oldest.partition_name;
  end loop;
  return null;
end $$;
