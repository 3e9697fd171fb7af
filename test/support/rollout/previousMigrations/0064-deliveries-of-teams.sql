-- One index serves every way to list deliveries: by state, by event, by both and by neither, of one subscription or of many, newest or
-- oldest first. A list that filters nothing merges the few stretches of each subscription. The moment stands as an expression, so that the
-- planner has no other index in this order to be tempted by: webhook_deliveries_time would lead it through every team's deliveries.
create index webhook_deliveries_listed on webhook_deliveries
  (subscription_id, state, event, (created_at at time zone 'UTC'), event_number);
drop index webhook_deliveries_state;

-- How requests to each subscription went, by the hour, so that nobody has to count attempts to know. Written with them.
create table webhook_hours (
  subscription_id text not null references webhook_subscriptions on delete cascade,
  hour timestamptz not null,
  delivered integer not null,
  failed integer not null,
  primary key (subscription_id, hour)
) with (fillfactor = 50);
comment on column webhook_hours.failed is 'attempts that failed; those that we cut ourselves are none';
create index webhook_hours_age on webhook_hours (hour);
