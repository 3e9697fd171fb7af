-- The partitions of a table and the identifiers that they hold: from `from_id` (null: the least of all) to below `until_id`; the default
-- partition, which takes whatever fits into no other, has neither.
create or replace function partitions_of(of_table text)
returns table (partition_name text, from_id text, until_id text, is_default boolean) language sql stable as $$
  select c.relname::text, substring(bounds.said from $re$FROM \('([^']*)'\)$re$), substring(bounds.said from $re$TO \('([^']*)'\)$re$),
      bounds.said = 'DEFAULT'
    from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral pg_get_expr(c.relpartbound, c.oid) as bounds (said)
    where i.inhparent = of_table::regclass
$$;
