-- Returns the tables that are partitioned by the time in an identifier, each after the table that its rows belong to: the column and the
-- prefix of the identifier, the period of a partition, how far ahead partitions are created, and the storage options of new ones. Periods
-- begin in UTC, weeks on Monday.
create or replace function partitioned_tables()
returns table (table_name text, id_column text, prefix text, period text, ahead interval, storage text)
language sql immutable as $$
  values
    ('generations', 'id', 'gen', 'month', interval '2 months', 'fillfactor = 70'),
    ('generation_attempts', 'generation_id', 'gen', 'month', interval '2 months', 'fillfactor = 100'),
    ('webhook_deliveries', 'id', 'evt', 'week', interval '2 weeks', 'fillfactor = 50, toast_tuple_target = 128'),
    ('webhook_attempts', 'delivery_id', 'evt', 'week', interval '2 weeks', 'fillfactor = 100')
$$;
