-- When the receiver first accepted a delivery. Until then deliveries to its origin are rate limited: the address may belong to somebody who
-- never asked for them.
alter table webhook_subscriptions add column confirmed_at timestamptz;
update webhook_subscriptions set confirmed_at = now() where last_delivery_outcome = 'delivered';
