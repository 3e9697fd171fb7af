-- The idempotency key is made of the two columns of the primary key, which keeps it unique over all partitions.
-- removes unique generation_attempts (idempotency_key): unused since 0.1.0
select make_first_partition('generation_attempts', 'generation_id', 'fillfactor = 100');
