-- By week: the log is kept for 30 days, and its partitions for a week more at most.
-- removes unique webhook_deliveries (subscription_id, event_number): unused since 0.1.0
select make_first_partition('webhook_deliveries', 'id', 'fillfactor = 50, toast_tuple_target = 128');
