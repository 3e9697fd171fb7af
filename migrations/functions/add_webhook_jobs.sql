-- Queues the job of each subscription, due in `delay_seconds`. A waiting job of the subscription is rescheduled; with `keep_earlier` it is
-- never delayed. A running job is followed by another. Subscriptions whose last attempt failed use the task deliverToTroubled, which has
-- slots of its own. Auto-paused ones get no job. Locks: jobs, in the order of the subscriptions.
create or replace function add_webhook_jobs(subscriptions text[], delay_seconds double precision, keep_earlier boolean) returns void
language plpgsql as $$
declare
  due_at constant timestamptz := clock_timestamp() + delay_seconds * interval '1 second';
  specs graphile_worker.job_spec[];
begin
  select array_agg((
      case when s.last_delivery_outcome <> 'delivered' then 'deliverToTroubled' else 'deliverWebhooks' end,
      json_build_object('subscriptionId', s.id), null, due_at,
      30000, 'webhook:' || s.id, null, null
    )::graphile_worker.job_spec order by s.id)
    into specs
    from webhook_subscriptions s where s.id = any(subscriptions) and s.auto_paused_at is null;
  -- jobs_add skips a job that a worker locks between its two statements. The next attempt sees that the job is running.
  for attempt in 1..5 loop
    exit when jobs_add(specs, keep_earlier) >= coalesce(cardinality(specs), 0);
  end loop;
  if keep_earlier then
    -- jobs_add keeps the time of a waiting job, even if that is later.
    perform jobs_bring_forward(array(select job_key from unnest(specs)), due_at);
  end if;
end $$;
