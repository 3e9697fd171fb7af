-- The tables that are partitioned by the time in an identifier, each behind the one that its rows belong to: by which column and prefix,
-- how long a partition is, for how long ahead they are made, and how new ones are stored. Periods begin in UTC, weeks on Monday.
create or replace function partitioned_tables()
returns table (table_name text, id_column text, prefix text, period text, ahead interval, storage text)
language sql immutable as $$
  values
    ('generations', 'id', 'gen', 'month', interval '2 months', 'fillfactor = 70'),
    ('generation_attempts', 'generation_id', 'gen', 'month', interval '2 months', 'fillfactor = 100'),
    ('webhook_deliveries', 'id', 'evt', 'week', interval '2 weeks', 'fillfactor = 50, toast_tuple_target = 128'),
    ('webhook_attempts', 'delivery_id', 'evt', 'week', interval '2 weeks', 'fillfactor = 100')
$$;
