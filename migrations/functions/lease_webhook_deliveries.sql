-- Takes deliveries that are due, the one longest due first, at most `per_subscription` in flight for each subscription over all
-- processes, and at most `troubled_max` for subscriptions whose last attempt failed. A lease that ran out is an attempt that was cut:
-- it is listed, and the delivery free again. Times are the database's own. One process takes at a time, or two would count alike.
-- Its commit is not waited for: a server that crashes forgets leases, and at worst an attempt is repeated.
create or replace function lease_webhook_deliveries(
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
