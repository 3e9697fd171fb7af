-- The body of an event that is the same for several subscriptions but for its identifier, stored once. `id`: of the delivery that it was
-- written for; others put their own in its place.
create table webhook_bodies (
  id text primary key,
  team_id text not null,
  body bytea not null,
  created_at timestamptz not null
);
alter table webhook_bodies alter column body set storage external;
create index webhook_bodies_of_team on webhook_bodies (team_id, created_at);
create index webhook_bodies_by_age on webhook_bodies (created_at);

-- Where the body is; null for a delivery that has its own.
alter table webhook_deliveries add column body_id text;
