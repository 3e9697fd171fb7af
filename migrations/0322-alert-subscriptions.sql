-- Subscriptions to alerts are rows of webhook_subscriptions, so that the same code delivers to them. Older processes write only the kind
-- events, which has the same events as before.
-- narrows webhook_subscriptions: satisfied since 0.2.0
alter table webhook_subscriptions
  add column kind text not null default 'events',
  drop constraint webhook_subscriptions_events,
  add constraint webhook_subscriptions_events check (
    cardinality(events) > 0 and case kind
      when 'events' then events <@ array['generation.completed', 'generation.failed', 'generation.cancelled']
      when 'alerts' then events <@ array['credits.low', 'key.near_ceiling', 'webhook.failing', 'key.expiring', 'plan.expiring']
      else false
    end
  );
comment on column webhook_subscriptions.kind is 'events of generations, or alerts; no subscription receives both';
create index webhook_subscriptions_alerts on webhook_subscriptions (id) where kind = 'alerts' and deleted_at is null;
