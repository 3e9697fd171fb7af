-- Makes every row due now that is due later than any delay of this service: it was written while the database's clock was ahead. Covers
-- jobs, deliveries, locks of families and vendors, and pauses of sign-ins; at most `rows_max` jobs of each task and `rows_max` deliveries.
-- Returns how many rows changed. `webhook_seconds`: the longest delay between attempts of a delivery.
-- Locks: the rows; skips locked jobs and deliveries.
create or replace function reschedule_far_future(webhook_seconds double precision, rows_max integer) returns integer
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  -- The longest delays: 10 minutes for locks and removals, 15 for sign-ins, less for steps of generations.
  usual constant interval := interval '20 minutes';
  -- Objects that a vendor may still write after the end of a generation are removed an hour later.
  orphans constant interval := interval '80 minutes';
  deliveries constant interval := usual + webhook_seconds * interval '1 second';
  moved integer;
  total integer;
  subscriptions text[];
begin
  total := jobs_reset_far_future(
    usual, json_build_object('removeOrphans', orphans, 'deliverWebhooks', deliveries, 'deliverToTroubled', deliveries)::jsonb, rows_max);

  with recursive open as (
    (select d.subscription_id from webhook_deliveries d where d.retries_left is not null order by d.subscription_id limit 1)
    union all
    select (
      select d.subscription_id from webhook_deliveries d
        where d.retries_left is not null and d.subscription_id > o.subscription_id order by d.subscription_id limit 1
    ) from open o where o.subscription_id is not null
  ), ahead as materialized (
    select d.id from open o cross join lateral (
      select id from webhook_deliveries
        where subscription_id = o.subscription_id and retries_left is not null and next_attempt_at > statement_timestamp() + deliveries
        order by next_attempt_at desc limit rows_max for update skip locked
    ) d limit rows_max
  ), pulled as (
    update webhook_deliveries set next_attempt_at = statement_timestamp() where id = any(array(select id from ahead)) returning subscription_id
  )
  select count(*), array_agg(distinct subscription_id) into moved, subscriptions from pulled;
  total := total + moved;
  if moved > 0 then
    perform add_webhook_jobs(subscriptions, 0, true);
  end if;

  update breakers set locked_until = present() where locked_until > present() + usual;
  get diagnostics moved = row_count;
  total := total + moved;
  if moved > 0 then
    perform pg_notify('catalog', 'breakers');
  end if;

  update auth.sign_in_counts set next_at = present() where next_at > present() + usual and next_at <> 'infinity';
  get diagnostics moved = row_count;
  return total + moved;
end $$;
