-- Takes over what processes of the release before have queued and not begun, at its time and with the retries it has left, and lists
-- what they began and never ended. Theirs is the lock, under which they take deliveries. Returns how many were taken over.
-- Locks: that one, deliveries, jobs. Goes with webhook_queue.
create or replace function carry_over_webhook_queue() returns integer
language plpgsql as $$
declare
  carried text[];
begin
  if not exists (select from webhook_queue) and not exists (select from webhook_leases) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('lease_webhook_deliveries', 0));
  with expired as (
    delete from webhook_leases l where l.expires_at <= clock_timestamp() returning l.delivery_id, l.leased_at
  ), counted as (
    update webhook_deliveries d set attempts = d.attempts + 1, response_code = null, refusal = 'cut short on our side', response_start = null
      from expired e where d.id = e.delivery_id
      returning d.id, d.attempts, e.leased_at
  )
  insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, refusal)
    select c.id, c.attempts, c.leased_at, extract(epoch from clock_timestamp() - c.leased_at), 'cut short on our side' from counted c
    on conflict do nothing;

  with taken as (
    delete from webhook_queue q
      where not exists (select from webhook_leases l where l.subscription_id = q.subscription_id and l.delivery_id = q.delivery_id)
      returning q.delivery_id, q.due_at, q.retries_left
  ), once as (
    -- That release could queue one twice.
    select t.delivery_id, min(t.due_at) as due_at, max(t.retries_left) as retries_left from taken t group by t.delivery_id
  ), opened as (
    update webhook_deliveries d set next_attempt_at = o.due_at, retries_left = o.retries_left
      from once o where d.id = o.delivery_id and d.next_attempt_at is not null
      returning d.subscription_id
  )
  select array_agg(subscription_id) into carried from opened;
  perform add_webhook_jobs(carried, 0, false);
  return coalesce(cardinality(carried), 0);
end $$;
