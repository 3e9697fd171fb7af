-- Writes down how attempts went. A report of an attempt that is not the latest, or was listed as cut, changes nothing.
-- `reports`: [{delivery, number, outcome, tookSeconds, code, refusal, start (hexadecimal), pauseSeconds}]
-- with the outcomes delivered, failed (closed when there is no pause), cut (by us; listed, costs no retry) and held (never begun).
-- Each is counted in the hour in which it ended. Returns how many were written. Its commit is not waited for.
-- Locks: deliveries, then hours, then subscriptions, each in the order of identifiers.
create or replace function end_webhook_attempts(reports jsonb) returns integer
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  written_count integer;
  changed text[];
  today date := utc_day(present());
  this_hour timestamptz := date_trunc('hour', present(), 'UTC');
begin
  perform set_config('synchronous_commit', 'off', true);
  with report as (
    select r.*, clock_timestamp() + "pauseSeconds" * interval '1 second' as next_at
      from jsonb_to_recordset(reports) as r (delivery text, number integer, outcome text, "tookSeconds" double precision,
        code integer, refusal text, start text, "pauseSeconds" double precision)
  ), present as (
    select d.id, d.attempts, d.attempt_begun_at from report r join webhook_deliveries d on d.id = r.delivery
      order by d.id for no key update of d
  ), ended as (
    select r.*, p.attempt_begun_at as begun_at from report r join present p on p.id = r.delivery
      where p.attempts = r.number - 1 and p.attempt_begun_at is not null
  ), written as (
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
  ), listed as (
    insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, response_code, refusal, response_start)
      select e.delivery, e.number, e.begun_at, e."tookSeconds", e.code, e.refusal, decode(e.start, 'hex') from ended e
        where e.outcome <> 'held'
      on conflict do nothing
  ), counted as (
    insert into webhook_hours as h (subscription_id, hour, delivered, failed)
      select w.subscription_id, this_hour, count(*) filter (where w.outcome = 'delivered'), count(*) filter (where w.outcome = 'failed')
        from written w where w.outcome in ('delivered', 'failed') group by w.subscription_id order by w.subscription_id
      on conflict (subscription_id, hour) do update
        set delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed
  ), newest as (
    select w.subscription_id, (array_agg(w.state order by w.event_number desc))[1] as state, bool_or(w.outcome = 'delivered') as accepted
      from written w where w.outcome in ('delivered', 'failed') group by w.subscription_id
  )
  select (select count(*) from written),
      array_agg(n.subscription_id || ' ' || n.state || case when n.accepted then ' accepted' else '' end order by n.subscription_id)
    into written_count, changed
    from newest n join webhook_subscriptions s on s.id = n.subscription_id
    where (s.last_delivery_day, s.last_delivery_outcome) is distinct from (today, n.state) or (n.accepted and s.confirmed_at is null);

  if changed is not null then
    -- In the order in which endings take them.
    perform from webhook_subscriptions s
      where s.id = any (select split_part(c, ' ', 1) from unnest(changed) c) order by s.id for no key update;
    update webhook_subscriptions s set last_delivery_day = today, last_delivery_outcome = split_part(c, ' ', 2),
        confirmed_at = case when split_part(c, ' ', 3) = 'accepted' then coalesce(s.confirmed_at, present()) else s.confirmed_at end
      from unnest(changed) c where s.id = split_part(c, ' ', 1);
  end if;
  return written_count;
end $$;
