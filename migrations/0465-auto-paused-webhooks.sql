-- Webhooks that are paused because every attempt failed for days. Older processes record their events as open deliveries; the functions keep
-- these from being sent, and maintenance closes them.
alter table webhook_subscriptions add column auto_paused_at timestamptz, add column resumed_at timestamptz;
comment on column webhook_subscriptions.auto_paused_at is
  'when it was paused because every attempt had failed for days; its events are recorded as failed deliveries. Independent of paused';
comment on column webhook_subscriptions.resumed_at is 'the last end of a pause; failures before it do not count for the next auto-pause';
create index webhook_subscriptions_auto_paused on webhook_subscriptions (id) where auto_paused_at is not null;
-- So that the age of the routine counts from here.
insert into routines (name, added_at) values ('pauseFailing', now()) on conflict (name) do nothing;
