-- Writes down how attempts went, each by the lease under which it was made; reports of a lease that is gone change nothing.
-- `reports`: [{subscription, delivery, lease, outcome, begunAt, tookSeconds, code, refusal, start (hexadecimal), pauseSeconds}]
-- with the outcomes delivered, failed (closed when there is no pause), cut (by us; listed, costs no retry) and held (never begun).
-- Returns how many were recorded. Its commit is not waited for either. Locks: leases, deliveries, queue, subscriptions.
create or replace function record_webhook_attempts(reports jsonb) returns integer
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
