-- Removes functions and constraints that only processes of 0.1.0 used. A database that began with 0001-baseline.sql has none of them.

-- removes function due_jobs(text[], integer): unused since 0.2.0
drop function if exists due_jobs(text[], integer);
-- removes function hold_credits(text, text, text, bigint, date): unused since 0.2.0
drop function if exists hold_credits(text, text, text, bigint, date);
-- removes function lease_webhook_deliveries(text, integer, integer, integer, double precision, text): unused since 0.2.0
drop function if exists lease_webhook_deliveries(text, integer, integer, integer, double precision, text);
-- removes function prune_first_deliveries(integer, integer): unused since 0.2.0
drop function if exists prune_first_deliveries(integer, integer);
-- removes function record_webhook_attempts(jsonb): unused since 0.2.0
drop function if exists record_webhook_attempts(jsonb);
-- removes function settle_credits(text, text, text, bigint, boolean, date): unused since 0.2.0
drop function if exists settle_credits(text, text, text, bigint, boolean, date);

-- Every process of 0.2.0 sets its queues.
-- narrows processes: satisfied since 0.2.0
update processes set queues = '{}' where queues is null;
alter table processes alter column queues set default '{}', alter column queues set not null;

-- From the time before the tables were partitioned. The primary keys keep these columns unique.
alter table if exists generation_attempts_first drop constraint if exists generation_attempts_first_idempotency_key_key;
alter table if exists webhook_deliveries_first drop constraint if exists webhook_deliveries_first_subscription_id_event_number_key;
