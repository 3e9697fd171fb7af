-- Webhooks: who wants to hear of endings, what they are to be told, and every attempt to tell them.

create table webhook_subscriptions (
  id text primary key,
  team_id text not null references teams,
  address text not null,
  events text[] not null,
  paused boolean not null default false,
  secret bytea,
  older_secret bytea,
  older_secret_until timestamptz,
  last_event_number integer not null default 0,
  last_delivery_day date,
  last_delivery_outcome text check (last_delivery_outcome in ('delivered', 'retrying', 'failed')),
  created_at timestamptz not null,
  deleted_at timestamptz,
  constraint webhook_subscriptions_events check (
    cardinality(events) > 0 and events <@ array['generation.completed', 'generation.failed', 'generation.cancelled']
  ),
  constraint webhook_subscriptions_secret check ((secret is null) = (deleted_at is not null)),
  constraint webhook_subscriptions_overlap check ((older_secret is null) = (older_secret_until is null))
) with (fillfactor = 50);
comment on column webhook_subscriptions.secret is 'sealed; gone when the subscription is deleted, whose log stays';
comment on column webhook_subscriptions.older_secret is 'sealed; signs beside the newer one until older_secret_until';
create index webhook_subscriptions_team on webhook_subscriptions (team_id, id desc);

create table webhook_deliveries (
  id text primary key,
  subscription_id text not null references webhook_subscriptions,
  event_number integer not null,
  event text not null,
  is_test boolean not null default false,
  body bytea not null,
  created_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'retrying', 'delivered', 'failed')),
  attempts integer not null default 0,
  retries_left integer not null check (retries_left >= 0),
  next_attempt_at timestamptz,
  leased_by text,
  leased_at timestamptz,
  lease integer not null default 0,
  response_code integer,
  refusal text,
  response_start bytea,
  constraint webhook_deliveries_open check ((state in ('pending', 'retrying')) = (next_attempt_at is not null)),
  constraint webhook_deliveries_leased check (leased_by is null or (next_attempt_at is not null and leased_at is not null)),
  unique (subscription_id, event_number)
) with (fillfactor = 70, toast_tuple_target = 128);
comment on column webhook_deliveries.next_attempt_at is 'while leased: when the lease ends and somebody else may take it';
comment on column webhook_deliveries.lease is 'raised by every taking; what an earlier holder reports is refused';
-- Kept apart from the row, which changes at every attempt while the body never does.
alter table webhook_deliveries alter column body set storage external;
create index webhook_deliveries_due on webhook_deliveries (subscription_id, next_attempt_at) where next_attempt_at is not null;
create index webhook_deliveries_leased on webhook_deliveries (subscription_id) where leased_by is not null;
create index webhook_deliveries_failed on webhook_deliveries (subscription_id, event_number) where state = 'failed';
create index webhook_deliveries_age on webhook_deliveries (created_at);

create table webhook_attempts (
  delivery_id text not null references webhook_deliveries on delete cascade,
  number integer not null,
  begun_at timestamptz not null,
  took_seconds double precision not null,
  response_code integer,
  refusal text,
  response_start bytea,
  primary key (delivery_id, number)
);

-- One row, sealed with the key that everything sealed in this database can be opened with.
create table secret_canary (
  name text primary key,
  sealed bytea not null
);

-- Takes deliveries that are due, the one longest due first, at most `per_subscription` in flight for each subscription over all
-- processes, and at most `troubled_max` for subscriptions whose last attempt failed. A lease that ran out is an attempt that was cut:
-- it is listed, and the delivery taken anew. Times are the database's own. One process takes at a time, or two would count alike.
create function lease_webhook_deliveries(
  holder text, deliveries_max integer, troubled_max integer, per_subscription integer, lease_seconds double precision, cut_words text
) returns table (
  delivery_id text, subscription_id text, address text, secret bytea, older_secret bytea, is_test boolean, body bytea,
  lease integer, retries_left integer, troubled boolean
) language plpgsql as $$
#variable_conflict use_column
declare
  present timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('lease_webhook_deliveries', 0));
  present := clock_timestamp();
  return query
  with recursive waiting as (
    (select d.subscription_id from webhook_deliveries d where d.next_attempt_at is not null order by d.subscription_id limit 1)
    union all
    select (
      select d.subscription_id from webhook_deliveries d
        where d.next_attempt_at is not null and d.subscription_id > w.subscription_id order by d.subscription_id limit 1
    ) from waiting w where w.subscription_id is not null
  ), due as (
    select candidate.id, candidate.next_attempt_at, s.id as subscription_id, s.address, s.secret,
        case when s.older_secret_until > present then s.older_secret end as older_secret,
        coalesce(s.last_delivery_outcome <> 'delivered', false) as troubled
      from waiting w
      join webhook_subscriptions s on s.id = w.subscription_id and not s.paused and s.deleted_at is null
      cross join lateral (
        select d.id, d.next_attempt_at from webhook_deliveries d
          where d.subscription_id = s.id and d.next_attempt_at <= present
          order by d.next_attempt_at
          limit greatest(0, per_subscription - (
            select count(*) from webhook_deliveries l
              where l.subscription_id = s.id and l.leased_by is not null and l.next_attempt_at > present
          ))
      ) candidate
  ), ranked as (
    select due.*, row_number() over (partition by due.troubled order by due.next_attempt_at) as place from due
  ), chosen as (
    select ranked.* from ranked where not ranked.troubled or ranked.place <= troubled_max
      order by ranked.next_attempt_at limit deliveries_max
  ), before as (
    select d.id, d.leased_by, d.leased_at, d.attempts from webhook_deliveries d join chosen on chosen.id = d.id for no key update of d
  ), cut as (
    insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, refusal)
      select before.id, before.attempts + 1, before.leased_at, extract(epoch from present - before.leased_at), cut_words
        from before where before.leased_by is not null
  )
  update webhook_deliveries d set
      lease = d.lease + 1, leased_by = holder, leased_at = present,
      next_attempt_at = present + lease_seconds * interval '1 second',
      attempts = d.attempts + case when before.leased_by is null then 0 else 1 end
    from before join chosen on chosen.id = before.id
    where d.id = before.id
    returning d.id, chosen.subscription_id, chosen.address, chosen.secret, chosen.older_secret, d.is_test, d.body, d.lease,
      d.retries_left, chosen.troubled;
end $$;

-- Writes down how attempts went, each by the lease under which it was made; reports of an earlier lease change nothing.
-- `reports`: [{delivery, lease, outcome, begunAt, tookSeconds, code, refusal, start (hexadecimal), pauseSeconds}]
-- with the outcomes delivered, failed (closed when there is no pause), cut (by us; listed, costs no retry) and held (never begun).
create function record_webhook_attempts(holder text, reports jsonb) returns integer language plpgsql as $$
declare
  recorded integer;
  changed text[];
begin
  with report as (
    select * from jsonb_to_recordset(reports) as r (delivery text, lease integer, outcome text, "begunAt" timestamptz,
      "tookSeconds" double precision, code integer, refusal text, start text, "pauseSeconds" double precision)
  ), written as (
    update webhook_deliveries d set
        state = case
          when r.outcome = 'delivered' then 'delivered'
          when r.outcome = 'failed' then case when r."pauseSeconds" is null then 'failed' else 'retrying' end
          else d.state end,
        next_attempt_at = clock_timestamp() + r."pauseSeconds" * interval '1 second',
        retries_left = d.retries_left - case when r.outcome = 'failed' and r."pauseSeconds" is not null then 1 else 0 end,
        attempts = d.attempts + case when r.outcome = 'held' then 0 else 1 end,
        leased_by = null,
        leased_at = null,
        response_code = case when r.outcome in ('delivered', 'failed') then r.code else d.response_code end,
        refusal = case when r.outcome in ('delivered', 'failed') then r.refusal else d.refusal end,
        response_start = case when r.outcome in ('delivered', 'failed') then decode(r.start, 'hex') else d.response_start end
      from report r
      where d.id = r.delivery and d.lease = r.lease and d.leased_by = holder
      returning d.id, d.subscription_id, d.event_number, d.attempts, d.state, r.outcome
  ), listed as (
    insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, response_code, refusal, response_start)
      select w.id, w.attempts, r."begunAt", r."tookSeconds", r.code, r.refusal, decode(r.start, 'hex')
        from written w join report r on r.delivery = w.id
        where r.outcome <> 'held'
  ), newest as (
    select distinct on (w.subscription_id) w.subscription_id, w.state from written w
      where w.outcome in ('delivered', 'failed') order by w.subscription_id, w.event_number desc
  )
  select (select count(*) from written), array_agg(n.subscription_id || ' ' || n.state order by n.subscription_id)
    into recorded, changed
    from newest n join webhook_subscriptions s on s.id = n.subscription_id
    where (s.last_delivery_day, s.last_delivery_outcome) is distinct from ((now() at time zone 'UTC')::date, n.state);

  if changed is not null then
    -- In the order in which endings take them.
    perform from webhook_subscriptions s
      where s.id = any (select split_part(c, ' ', 1) from unnest(changed) c) order by s.id for no key update;
    update webhook_subscriptions s set last_delivery_day = (now() at time zone 'UTC')::date, last_delivery_outcome = split_part(c, ' ', 2)
      from unnest(changed) c where s.id = split_part(c, ' ', 1);
  end if;
  return recorded;
end $$;
