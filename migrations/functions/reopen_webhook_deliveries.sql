-- Makes deliveries due now, with all retries, if their state is one of `from_states` and no attempt is in flight. Open deliveries stay
-- open. Returns how many were reopened.
-- Locks: deliveries in the order of their identifiers, their callbacks; jobs.
create or replace function reopen_webhook_deliveries(ids text[], from_states text[], retries integer) returns integer
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  subscriptions text[];
begin
  with found as (
    select d.id from unnest(ids) as asked (id) join webhook_deliveries d on d.id = asked.id
      where d.state = any(from_states) and d.attempt_begun_at is null
      order by d.id for no key update of d
  ), opened as (
    update webhook_deliveries d set state = 'pending', next_attempt_at = statement_timestamp(), retries_left = retries
      from found f where d.id = f.id
      returning d.id, d.subscription_id
  ), called as (
    update callbacks c set state = 'pending' from opened where c.delivery_id = opened.id
  )
  select array_agg(subscription_id) into subscriptions from opened;
  if subscriptions is null then
    return 0;
  end if;
  perform add_webhook_jobs(subscriptions, 0, false);
  return cardinality(subscriptions);
end $$;
