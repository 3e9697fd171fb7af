-- Records the outcomes of attempts. Ignores a report of an attempt that is not the latest, or that was recorded as interrupted.
-- `reports`: [{delivery, number, outcome, tookSeconds, code, refusal, start (hexadecimal), pauseSeconds}], with one of these outcomes:
--   delivered
--   failed      without pauseSeconds the delivery is closed
--   cut         this service interrupted the attempt: it is recorded and costs no retry
--   held        the attempt was never sent
-- Counts attempts in the hour in which they ended. Returns how many reports were recorded. The commit is asynchronous.
-- Locks: deliveries, then callbacks, hours, subscriptions, each in the order of identifiers.
create or replace function end_webhook_attempts(reports jsonb) returns integer
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  recorded_count integer;
  changed text[];
  today date := utc_day(present());
  this_hour timestamptz := date_trunc('hour', present(), 'UTC');
begin
  perform set_config('synchronous_commit', 'off', true);
  with report as (
    select r.*, clock_timestamp() + "pauseSeconds" * interval '1 second' as next_at
      from jsonb_to_recordset(reports) as r (delivery text, number integer, outcome text, "tookSeconds" double precision,
        code integer, refusal text, start text, "pauseSeconds" double precision)
  ), locked as (
    select d.id, d.attempts, d.attempt_begun_at from report r join webhook_deliveries d on d.id = r.delivery
      order by d.id for no key update of d
  ), ended as (
    select r.*, l.attempt_begun_at as begun_at from report r join locked l on l.id = r.delivery
      where l.attempts = r.number - 1 and l.attempt_begun_at is not null
  ), updated as (
    update webhook_deliveries d set
        state = case e.outcome when 'delivered' then 'delivered' when 'failed' then case when e.next_at is null then 'failed' else 'retrying' end
          else d.state end,
        next_attempt_at = e.next_at,
        retries_left = case when e.next_at is not null then d.retries_left - case e.outcome when 'failed' then 1 else 0 end end,
        attempt_begun_at = null,
        attempts = case when e.outcome = 'held' then d.attempts else e.number end,
        response_code = case when e.outcome = 'held' then d.response_code else e.code end,
        refusal = case when e.outcome = 'held' then d.refusal else e.refusal end,
        response_start = case when e.outcome = 'held' then d.response_start else decode(e.start, 'hex') end
      from ended e where d.id = e.delivery
      returning d.id, d.subscription_id, d.event_number, d.state, e.outcome
  ), called as (
    update callbacks c set state = u.state from updated u where c.delivery_id = u.id and c.state <> u.state
  ), logged as (
    insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, response_code, refusal, response_start)
      select e.delivery, e.number, e.begun_at, e."tookSeconds", e.code, e.refusal, decode(e.start, 'hex') from ended e
        where e.outcome <> 'held'
      on conflict do nothing
  ), counted as (
    insert into webhook_hours as h (subscription_id, hour, delivered, failed)
      select u.subscription_id, this_hour, count(*) filter (where u.outcome = 'delivered'), count(*) filter (where u.outcome = 'failed')
        from updated u where u.outcome in ('delivered', 'failed') group by u.subscription_id order by u.subscription_id
      on conflict (subscription_id, hour) do update
        set delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed
  ), newest as (
    select u.subscription_id, (array_agg(u.state order by u.event_number desc))[1] as state, bool_or(u.outcome = 'delivered') as accepted
      from updated u where u.outcome in ('delivered', 'failed') group by u.subscription_id
  )
  select (select count(*) from updated),
      array_agg(n.subscription_id || ' ' || n.state || case when n.accepted then ' accepted' else '' end order by n.subscription_id)
    into recorded_count, changed
    from newest n join webhook_subscriptions s on s.id = n.subscription_id
    where (s.last_delivery_day, s.last_delivery_outcome) is distinct from (today, n.state) or (n.accepted and s.confirmed_at is null);

  if changed is not null then
    -- The end of a generation locks subscriptions in the same order.
    perform from webhook_subscriptions s
      where s.id = any (select split_part(c, ' ', 1) from unnest(changed) c) order by s.id for no key update;
    update webhook_subscriptions s set last_delivery_day = today, last_delivery_outcome = split_part(c, ' ', 2),
        confirmed_at = case when split_part(c, ' ', 3) = 'accepted' then coalesce(s.confirmed_at, present()) else s.confirmed_at end
      from unnest(changed) c where s.id = split_part(c, ' ', 1);
  end if;
  return recorded_count;
end $$;
