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
  next_attempt_at timestamptz,
  response_code integer,
  refusal text,
  response_start bytea,
  constraint webhook_deliveries_open check ((state in ('pending', 'retrying')) = (next_attempt_at is not null)),
  unique (subscription_id, event_number)
) with (fillfactor = 50, toast_tuple_target = 128);
comment on column webhook_deliveries.response_code is 'of the latest attempt, as refusal and response_start';
-- Kept apart from the row, which changes with every attempt while the body never does. Nothing that changes is indexed.
alter table webhook_deliveries alter column body set storage external;
create index webhook_deliveries_age on webhook_deliveries using brin (created_at) with (autosummarize = on);

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

-- The open deliveries, in narrow rows of their own: `due_at` is the delivery's next_attempt_at.
create table webhook_queue (
  subscription_id text not null,
  due_at timestamptz not null,
  delivery_id text not null,
  retries_left integer not null check (retries_left >= 0),
  primary key (subscription_id, due_at, delivery_id)
);

-- An attempt that is under way. What is in flight is what stands here, so that nothing has to be counted back after a crash.
create table webhook_leases (
  subscription_id text not null,
  delivery_id text not null,
  due_at timestamptz not null,
  lease uuid not null,
  holder text not null,
  leased_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (subscription_id, delivery_id)
);

-- One row, sealed with the key that everything sealed in this database can be opened with.
create table secret_canary (
  name text primary key,
  sealed bytea not null
);

-- The plans of the functions below are made while the tables are small and kept while they grow, so they are bound to indexes.

-- Takes deliveries that are due, the one longest due first, at most `per_subscription` in flight for each subscription over all
-- processes, and at most `troubled_max` for subscriptions whose last attempt failed. A lease that ran out is an attempt that was cut:
-- it is listed, and the delivery free again. Times are the database's own. One process takes at a time, or two would count alike.
-- Its commit is not waited for: a server that crashes forgets leases, and at worst an attempt is repeated.
create function lease_webhook_deliveries(
  holder text, deliveries_max integer, troubled_max integer, per_subscription integer, lease_seconds double precision, cut_words text
) returns table (
  delivery_id text, subscription_id text, address text, secret bytea, older_secret bytea, is_test boolean, body bytea,
  lease uuid, retries_left integer, troubled boolean
)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  present timestamptz;
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(hashtextextended('lease_webhook_deliveries', 0));
  present := clock_timestamp();

  with expired as (
    delete from webhook_leases l where l.expires_at <= present returning l.delivery_id, l.leased_at
  ), counted as (
    update webhook_deliveries d set attempts = d.attempts + 1, response_code = null, refusal = cut_words, response_start = null
      from expired e where d.id = e.delivery_id
      returning d.id, d.attempts, e.leased_at
  )
  insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, refusal)
    select c.id, c.attempts, c.leased_at, extract(epoch from present - c.leased_at), cut_words from counted c;

  return query
  with recursive waiting as (
    (select q.subscription_id from webhook_queue q order by q.subscription_id limit 1)
    union all
    select (
      select q.subscription_id from webhook_queue q where q.subscription_id > w.subscription_id order by q.subscription_id limit 1
    ) from waiting w where w.subscription_id is not null
  ), due as (
    select s.id as subscription_id, s.address, s.secret,
        case when s.older_secret_until > present then s.older_secret end as older_secret,
        coalesce(s.last_delivery_outcome <> 'delivered', false) as troubled,
        candidate.delivery_id, candidate.due_at, candidate.retries_left
      from waiting w
      cross join lateral (
        select * from webhook_subscriptions s where s.id = w.subscription_id and not s.paused and s.deleted_at is null offset 0
      ) s
      cross join lateral (
        select q.delivery_id, q.due_at, q.retries_left from webhook_queue q
          where q.subscription_id = s.id and q.due_at <= present
            and not exists (select from webhook_leases l where l.subscription_id = s.id and l.delivery_id = q.delivery_id)
          order by q.due_at
          limit greatest(0, per_subscription - (select count(*) from webhook_leases l where l.subscription_id = s.id))
      ) candidate
  ), ranked as (
    select due.*, row_number() over (partition by due.troubled order by due.due_at) as place from due
  ), chosen as (
    select ranked.*, gen_random_uuid() as lease from ranked where not ranked.troubled or ranked.place <= troubled_max
      order by ranked.due_at limit deliveries_max
  ), taken as (
    insert into webhook_leases (subscription_id, delivery_id, due_at, lease, holder, leased_at, expires_at)
      select c.subscription_id, c.delivery_id, c.due_at, c.lease, holder, present, present + lease_seconds * interval '1 second' from chosen c
  )
  select c.delivery_id, c.subscription_id, c.address, c.secret, c.older_secret, d.is_test, d.body, c.lease, c.retries_left, c.troubled
    from chosen c
    cross join lateral (select d.is_test, d.body from webhook_deliveries d where d.id = c.delivery_id offset 0) d;
end $$;

-- Writes down how attempts went, each by the lease under which it was made; reports of a lease that is gone change nothing.
-- `reports`: [{subscription, delivery, lease, outcome, begunAt, tookSeconds, code, refusal, start (hexadecimal), pauseSeconds}]
-- with the outcomes delivered, failed (closed when there is no pause), cut (by us; listed, costs no retry) and held (never begun).
-- Returns how many were recorded. Its commit is not waited for either. Locks: leases, deliveries, queue, subscriptions.
create function record_webhook_attempts(reports jsonb) returns integer
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  recorded integer;
  changed text[];
begin
  perform set_config('synchronous_commit', 'off', true);
  with report as (
    select *, clock_timestamp() + "pauseSeconds" * interval '1 second' as next_at
      from jsonb_to_recordset(reports) as r (subscription text, delivery text, lease uuid, outcome text, "begunAt" timestamptz,
        "tookSeconds" double precision, code integer, refusal text, start text, "pauseSeconds" double precision)
  ), ended as (
    delete from webhook_leases l using report r
      where l.subscription_id = r.subscription and l.delivery_id = r.delivery and l.lease = r.lease
      returning r.*, l.due_at
  ), written as (
    update webhook_deliveries d set
        state = case e.outcome when 'delivered' then 'delivered' when 'failed' then case when e.next_at is null then 'failed' else 'retrying' end
          else d.state end,
        next_attempt_at = e.next_at,
        attempts = d.attempts + case when e.outcome = 'held' then 0 else 1 end,
        response_code = case when e.outcome = 'held' then d.response_code else e.code end,
        refusal = case when e.outcome = 'held' then d.refusal else e.refusal end,
        response_start = case when e.outcome = 'held' then d.response_start else decode(e.start, 'hex') end
      from ended e where d.id = e.delivery
      returning d.id, d.event_number, d.attempts, d.state, e.*
  ), listed as (
    insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, response_code, refusal, response_start)
      select w.id, w.attempts, w."begunAt", w."tookSeconds", w.code, w.refusal, decode(w.start, 'hex') from written w
        where w.outcome <> 'held'
  ), closed as (
    delete from webhook_queue q using written w
      where q.subscription_id = w.subscription and q.due_at = w.due_at and q.delivery_id = w.id and w.next_at is null
  ), later as (
    update webhook_queue q set due_at = w.next_at, retries_left = q.retries_left - case when w.outcome = 'failed' then 1 else 0 end
      from written w
      where q.subscription_id = w.subscription and q.due_at = w.due_at and q.delivery_id = w.id and w.next_at is not null
  ), newest as (
    select distinct on (w.subscription) w.subscription, w.state from written w
      where w.outcome in ('delivered', 'failed') order by w.subscription, w.event_number desc
  )
  select (select count(*) from written), array_agg(n.subscription || ' ' || n.state order by n.subscription)
    into recorded, changed
    from newest n join webhook_subscriptions s on s.id = n.subscription
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

-- Puts deliveries back into the queue, due now and with all retries; those that are under way are left alone.
-- `from_states`: in which they must be. Returns how many were put back. Locks: deliveries, queue.
create function reopen_webhook_deliveries(ids text[], from_states text[], retries integer) returns integer
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  present timestamptz := clock_timestamp();
  reopened integer;
begin
  with found as (
    select d.id, d.subscription_id, d.next_attempt_at as due_at from webhook_deliveries d
      where d.id = any(ids) and d.state = any(from_states)
        and not exists (select from webhook_leases l where l.subscription_id = d.subscription_id and l.delivery_id = d.id)
      order by d.id for no key update of d
  ), unqueued as (
    delete from webhook_queue q using found f where q.subscription_id = f.subscription_id and q.due_at = f.due_at and q.delivery_id = f.id
  ), queued as (
    insert into webhook_queue (subscription_id, due_at, delivery_id, retries_left) select f.subscription_id, present, f.id, retries from found f
  )
  update webhook_deliveries d set state = 'pending', next_attempt_at = present from found f where d.id = f.id;
  get diagnostics reopened = row_count;
  return reopened;
end $$;
