-- Callbacks of single starts. Each team has hidden subscriptions of the kind callbacks: one without an address, which has the secret of the
-- team, and one for each origin, with a copy of the secret. They count as paused, so that older processes record no events for them.
-- narrows webhook_subscriptions: satisfied since 0.2.0
alter table webhook_subscriptions
  drop constraint webhook_subscriptions_events,
  add constraint webhook_subscriptions_events check (
    cardinality(events) > 0 and case
      when kind in ('events', 'callbacks') then events <@ array['generation.completed', 'generation.failed', 'generation.cancelled']
      when kind = 'alerts' then events <@ array['credits.low', 'key.near_ceiling', 'webhook.failing', 'key.expiring', 'plan.expiring']
      else false
    end
  ),
  add constraint webhook_subscriptions_callbacks check (kind <> 'callbacks' or paused);
comment on column webhook_subscriptions.kind is
  'events of generations, alerts, or callbacks: an origin of callbacks of the team, or with an empty address the secret of its callbacks';
create unique index webhook_subscriptions_origins on webhook_subscriptions (team_id, address) where kind = 'callbacks' and deleted_at is null;
-- The end of a generation reads the subscriptions of its team, which may have many origins of callbacks.
create index webhook_subscriptions_of_events on webhook_subscriptions (team_id, id) where kind = 'events' and deleted_at is null;
create table callbacks (
  generation_id text primary key,
  team_id text not null,
  subscription_id text not null,
  url text not null,
  events text[] not null,
  created_at timestamptz not null,
  delivery_id text,
  event text,
  event_at timestamptz,
  event_number integer,
  state text,
  constraint callbacks_recorded check (num_nulls(delivery_id, event, event_at, event_number, state) in (0, 5))
) with (fillfactor = 70);
comment on table callbacks is 'The callback of a start: waits for the end of the generation, then belongs to the delivery of the event.';
comment on column callbacks.subscription_id is 'the hidden subscription of the origin of the URL';
comment on column callbacks.delivery_id is 'null until the event is recorded';
comment on column callbacks.event_at is 'copied from the delivery, like event, event_number and state, because its table has no index by team';
create unique index callbacks_of_delivery on callbacks (delivery_id);
create index callbacks_waiting on callbacks (generation_id) where delivery_id is null;
create index callbacks_by_age on callbacks (event_at);
create index callbacks_listed on callbacks (team_id, state, event, event_at, subscription_id, event_number) where delivery_id is not null;
-- So that the age of the routine counts from here.
insert into routines (name, added_at) values ('recordCallbacks', now()) on conflict (name) do nothing;
