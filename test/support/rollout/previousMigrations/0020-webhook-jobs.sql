-- Webhooks are delivered by jobs, one for each subscription that has something due. What is due stands in webhook_deliveries itself, so
-- that one delivery cannot be queued twice: a row with `retries_left` is open and belongs to these jobs.

-- Nobody is kept waiting by a check of what is there already: all of it is null.
alter table webhook_deliveries
  add column retries_left smallint,
  add column attempt_begun_at timestamptz,
  add constraint webhook_deliveries_queued check (retries_left is null or (retries_left >= 0 and next_attempt_at is not null)) not valid,
  add constraint webhook_deliveries_under_way check (attempt_begun_at is null or retries_left is not null) not valid;
comment on column webhook_deliveries.retries_left is 'set while it is open; null too where a process of the release before has queued it';
comment on column webhook_deliveries.attempt_begun_at is 'an attempt is under way, or was when its process died';

create index webhook_deliveries_due on webhook_deliveries (subscription_id, next_attempt_at) where retries_left is not null;
create index webhook_deliveries_state on webhook_deliveries (subscription_id, state, event_number);
-- In the place of one that would read the whole table after a month of deletions.
create index webhook_deliveries_time on webhook_deliveries (created_at);
drop index webhook_deliveries_age;

-- webhook_queue, webhook_leases, lease_webhook_deliveries and record_webhook_attempts stay for processes of the release before, which
-- deliver from there what they have recorded until they end; carry_over_webhook_queue takes over what they leave. A later release,
-- when nobody runs that one any more, drops all of them, and with them carry_over_webhook_queue.
