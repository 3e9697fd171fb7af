-- Queues the job of each subscription that has had a due delivery for `late_seconds`, has no waiting job, and is not being delivered to:
-- its process crashed. Removes jobs that were replaced while they ran, if their process crashed: nothing else removes them.
-- Returns how many jobs were queued. One process does this at a time: the advisory lock has its name in 0.2.0, whose processes take it too.
create or replace function requeue_lost_webhook_jobs(late_seconds double precision) returns integer
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  lost text[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('mend_webhook_jobs', 0)) then
    return 0;
  end if;
  with recursive open as (
    (select d.subscription_id from webhook_deliveries d where d.retries_left is not null order by d.subscription_id limit 1)
    union all
    select (
      select d.subscription_id from webhook_deliveries d
        where d.retries_left is not null and d.subscription_id > o.subscription_id order by d.subscription_id limit 1
    ) from open o where o.subscription_id is not null
  ), late as materialized (
    select s.id from open o join webhook_subscriptions s on s.id = o.subscription_id
      where (not s.paused or s.kind = 'callbacks') and s.auto_paused_at is null and s.deleted_at is null
        and (
          select d.next_attempt_at from webhook_deliveries d
            where d.subscription_id = s.id and d.retries_left is not null order by d.next_attempt_at limit 1
        ) < statement_timestamp() - late_seconds * interval '1 second'
        and not exists (
          select from graphile_worker.jobs j
            where j.key = 'webhook:' || s.id and case when j.locked_at is null
              then j.attempts < j.max_attempts and j.run_at < statement_timestamp() + late_seconds * interval '1 second'
              -- Locked just now: the job runs, or the sweeper of orphaned jobs will release it.
              else j.locked_at > statement_timestamp() - interval '20 seconds' end
        )
  )
  select array_agg(id) into lost from late where pg_try_advisory_xact_lock(hashtextextended('webhook:' || id, 0));
  perform add_webhook_jobs(lost, 0, false);

  perform graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where task_identifier in ('deliverWebhooks', 'deliverToTroubled')
      and locked_at is null and key is null and attempts >= max_attempts));
  return coalesce(cardinality(lost), 0);
end $$;
