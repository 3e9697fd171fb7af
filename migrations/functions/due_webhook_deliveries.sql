-- Returns for each of `subscriptions` that is not deleted, and not paused: its due deliveries, at most `due_max`, the longest due first,
-- without those in `in_hand`; and the seconds until its next delivery is due, null without one.
-- The plan is generic, because planning for all partitions takes ten times as long as the query. The settings force indexes, because a plan
-- that was made for small tables must also suit large ones.
create or replace function due_webhook_deliveries(subscriptions text[], in_hand text[], due_max integer)
returns table (subscription_id text, due text[], wait_seconds double precision)
language plpgsql stable set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  return query
  select s.id,
      array(
        select d.id from webhook_deliveries d
          where d.subscription_id = s.id and d.retries_left is not null and d.next_attempt_at <= statement_timestamp()
            and d.id <> all(in_hand)
          order by d.next_attempt_at limit due_max
      ), (
        select extract(epoch from d.next_attempt_at - statement_timestamp())::double precision from webhook_deliveries d
          where d.subscription_id = s.id and d.retries_left is not null and d.next_attempt_at > statement_timestamp()
          order by d.next_attempt_at limit 1
      )
    from webhook_subscriptions s where s.id = any(subscriptions) and (not s.paused or s.kind = 'callbacks')
      and s.auto_paused_at is null and s.deleted_at is null;
end $$;
