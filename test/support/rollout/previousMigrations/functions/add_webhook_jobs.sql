-- Queues the job of each of `subscriptions`, to run in so many seconds. There is one for each: a job that waits already is put off or
-- moved forward, unless `keep_earlier`; one that runs is followed by another. Those whose last attempt failed get a task of their own,
-- whose places they share among themselves. Locks: jobs, in the order of the subscriptions.
create or replace function add_webhook_jobs(subscriptions text[], delay_seconds double precision, keep_earlier boolean) returns void
language plpgsql as $$
declare
  specs graphile_worker.job_spec[];
begin
  select array_agg((
      case when s.last_delivery_outcome <> 'delivered' then 'deliverToTroubled' else 'deliverWebhooks' end,
      json_build_object('subscriptionId', s.id), null, clock_timestamp() + delay_seconds * interval '1 second',
      30000, 'webhook:' || s.id, null, null
    )::graphile_worker.job_spec order by s.id)
    into specs
    from webhook_subscriptions s where s.id = any(subscriptions);
  -- A job that is taken between two statements of add_jobs is neither replaced nor followed; the next try finds it running.
  for tries in 1..5 loop
    exit when (select count(*) from graphile_worker.add_jobs(specs, keep_earlier)) >= coalesce(cardinality(specs), 0);
  end loop;
  if keep_earlier then
    -- The queue keeps the time of a job that waits even where that is the later one.
    update graphile_worker._private_jobs j set run_at = spec.run_at from unnest(specs) spec
      where j.key = spec.job_key and j.locked_at is null and j.run_at > spec.run_at;
  end if;
end $$;
