-- Returns the partitions of a table and their identifiers: from `from_id` (null: no lower bound) to below `until_id`. Both are null for the
-- default partition, which has the rows that belong to no other.
create or replace function partitions_of(of_table text)
returns table (partition_name text, from_id text, until_id text, is_default boolean) language sql stable as $$
  select c.relname::text, substring(bounds.bound from $re$FROM \('([^']*)'\)$re$), substring(bounds.bound from $re$TO \('([^']*)'\)$re$),
      bounds.bound = 'DEFAULT'
    from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral pg_get_expr(c.relpartbound, c.oid) as bounds (bound)
    where i.inhparent = of_table::regclass
$$;
