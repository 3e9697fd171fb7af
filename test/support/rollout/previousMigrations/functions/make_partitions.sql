-- Makes the partitions of a table that are missing, as far ahead as `partitioned_tables` says: of the periods that overlap no partition,
-- those from 30 days ago on, which are never retired yet, and those behind the last partition, where nobody made any for a while. What
-- stands in the default partition and belongs into a new one (the clock of a process was ahead, or nobody made partitions for a while)
-- moves there; a period of which that would be more than 10,000 rows is left out, and stays in the default partition for good.
-- Gives the names of what was made, two at most. One process at a time; harmless when repeated. Locks, for moments or not at all: the default partition
-- against everybody, the table against other changes of its shape.
create or replace function make_partitions(of_table text) returns text[] language plpgsql as $$
declare
  strays_max constant integer := 10000;
  -- In one transaction, which holds its locks to the end.
  made_max constant integer := 2;
  asked record;
  starts timestamp;
  ends timestamp;
  last_until text;
  -- Deliveries are kept for so long, generations for longer.
  never_retired constant interval := interval '30 days';
  today constant timestamp := present() at time zone 'UTC';
  lower_bound text;
  upper_bound text;
  partition text;
  default_partition text;
  strays bigint;
  made text[] := '{}';
begin
  perform set_config('lock_timeout', '400ms', true);
  if not pg_try_advisory_xact_lock(hashtextextended('atelier.partitions', 0)) then
    return made;
  end if;
  select * into strict asked from partitioned_tables() where table_name = of_table;
  -- Where all were retired before new ones could be made, nothing is covered.
  select coalesce(max(until_id), ''), max(partition_name) filter (where is_default) into last_until, default_partition from partitions_of(of_table);
  -- As far back as rows may have come to the default partition while nobody looked.
  starts := date_trunc(asked.period, today - interval '1 year');
  while starts < today + asked.ahead and cardinality(made) < made_max loop
    ends := starts + ('1 ' || asked.period)::interval;
    lower_bound := first_id(asked.prefix, starts at time zone 'UTC');
    upper_bound := first_id(asked.prefix, ends at time zone 'UTC');
    if (lower_bound >= last_until or ends > today - never_retired) and not exists (
        select from partitions_of(of_table) p
          where not p.is_default and (p.from_id is null or p.from_id < upper_bound) and p.until_id > lower_bound) then
      partition := of_table || '_' || to_char(starts, case asked.period when 'month' then 'YYYY_MM' else 'YYYY_MM_DD' end);
      -- That name may belong to one that was retired by a clock that was ahead, and is not dropped yet.
      while to_regclass(quote_ident(partition)) is not null loop
        partition := partition || '_2';
      end loop;
      execute format('lock table %I in access exclusive mode', default_partition);
      execute format('select count(*) from (select from %I where %I >= $1 and %2$I < $2 limit $3) as found', default_partition, asked.id_column)
        into strays using lower_bound, upper_bound, strays_max + 1;
      if strays <= strays_max then
        execute format('create table %I (like %I including all excluding indexes) with (%s)', partition, of_table, asked.storage);
        if strays > 0 then
          execute format('with moved as (delete from %I where %I >= $1 and %2$I < $2 returning *) insert into %I select * from moved',
            default_partition, asked.id_column, partition) using lower_bound, upper_bound;
        end if;
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, partition, lower_bound, upper_bound);
        made := made || partition;
      end if;
    end if;
    starts := ends;
  end loop;
  return made;
end $$;
