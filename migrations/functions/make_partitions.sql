-- Creates missing partitions of a table, as far ahead as `partitioned_tables` says: for periods without a partition that are at most 30
-- days old, so that they are not retired at once, and for all periods after the last partition. Moves rows of a new partition out of the
-- default partition, where they are when a clock was ahead or maintenance did not run. A period with more than 10,000 of them gets no
-- partition, and they stay in the default partition.
-- Returns the names of the new partitions, two at most. One process at a time; safe to repeat. Locks, waiting for 0.4 s at most: the
-- default partition in access exclusive mode, the table against other changes of its definition.
create or replace function make_partitions(of_table text) returns text[] language plpgsql as $$
declare
  rows_to_move_max constant integer := 10000;
  -- The transaction holds its locks until it ends.
  created_max constant integer := 2;
  spec record;
  starts timestamp;
  ends timestamp;
  last_until text;
  -- Deliveries are kept for this time, generations for longer.
  never_retired constant interval := interval '30 days';
  today constant timestamp := present() at time zone 'UTC';
  lower_bound text;
  upper_bound text;
  partition text;
  default_partition text;
  rows_to_move bigint;
  created text[] := '{}';
begin
  perform set_config('lock_timeout', '400ms', true);
  if not pg_try_advisory_xact_lock(hashtextextended('atelier.partitions', 0)) then
    return created;
  end if;
  select * into strict spec from partitioned_tables() where table_name = of_table;
  -- Empty when all partitions were retired before new ones were created.
  select coalesce(max(until_id), ''), max(partition_name) filter (where is_default) into last_until, default_partition from partitions_of(of_table);
  -- Includes rows that reached the default partition during a year without maintenance.
  starts := date_trunc(spec.period, today - interval '1 year');
  while starts < today + spec.ahead and cardinality(created) < created_max loop
    ends := starts + ('1 ' || spec.period)::interval;
    lower_bound := first_id(spec.prefix, starts at time zone 'UTC');
    upper_bound := first_id(spec.prefix, ends at time zone 'UTC');
    if (lower_bound >= last_until or ends > today - never_retired) and not exists (
        select from partitions_of(of_table) p
          where not p.is_default and (p.from_id is null or p.from_id < upper_bound) and p.until_id > lower_bound) then
      partition := of_table || '_' || to_char(starts, case spec.period when 'month' then 'YYYY_MM' else 'YYYY_MM_DD' end);
      -- A partition of this name may have been retired by a clock that was ahead, and not dropped yet.
      while to_regclass(quote_ident(partition)) is not null loop
        partition := partition || '_2';
      end loop;
      execute format('lock table %I in access exclusive mode', default_partition);
      execute format('select count(*) from (select from %I where %I >= $1 and %2$I < $2 limit $3) as found', default_partition, spec.id_column)
        into rows_to_move using lower_bound, upper_bound, rows_to_move_max + 1;
      if rows_to_move <= rows_to_move_max then
        execute format('create table %I (like %I including all excluding indexes) with (%s)', partition, of_table, spec.storage);
        if rows_to_move > 0 then
          execute format('with moved as (delete from %I where %I >= $1 and %2$I < $2 returning *) insert into %I select * from moved',
            default_partition, spec.id_column, partition) using lower_bound, upper_bound;
        end if;
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, partition, lower_bound, upper_bound);
        created := created || partition;
      end if;
    end if;
    starts := ends;
  end loop;
  return created;
end $$;
