-- Puts deliveries back into the queue, due now and with all retries; those that are under way are left alone.
-- `from_states`: in which they must be. Returns how many were put back. Locks: deliveries, queue.
create or replace function reopen_webhook_deliveries(ids text[], from_states text[], retries integer) returns integer
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
