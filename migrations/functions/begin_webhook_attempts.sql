-- Records the start of an attempt of each of `deliveries`, and returns what is needed to send them. Skips deliveries that are not due.
-- `address` of a callback is its own URL.
-- An earlier attempt that started and never ended is recorded first, as interrupted, with the refusal `cut_words`.
-- `number` counts the attempts of a delivery: end_webhook_attempts accepts a report of the latest one only. The commit is asynchronous:
-- after a crash of the server an attempt may be sent again.
-- The caller holds the lock of the subscription. Locks: deliveries in the order of their identifiers.
create or replace function begin_webhook_attempts(deliveries text[], cut_words text)
returns table (
  delivery_id text, subscription_id text, number integer, begun_at timestamptz, retries_left smallint,
  address text, secret bytea, older_secret bytea, is_test boolean, body bytea
)
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  perform set_config('synchronous_commit', 'off', true);
  return query
  with due as (
    select d.id, d.attempts, d.attempt_begun_at, s.secret,
        case s.kind when 'callbacks' then coalesce((select c.url from callbacks c where c.delivery_id = d.id), '') else s.address end as address,
        case when s.older_secret_until > statement_timestamp() then s.older_secret end as older_secret
      from unnest(deliveries) as asked (id) join webhook_deliveries d on d.id = asked.id join webhook_subscriptions s on s.id = d.subscription_id
      where d.retries_left is not null and d.next_attempt_at <= statement_timestamp()
        and (not s.paused or s.kind = 'callbacks') and s.auto_paused_at is null and s.deleted_at is null
      order by d.id for no key update of d
  ), interrupted as (
    insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, refusal)
      select due.id, due.attempts + 1, due.attempt_begun_at,
          greatest(0, extract(epoch from statement_timestamp() - due.attempt_begun_at)), cut_words
        from due where due.attempt_begun_at is not null
      on conflict do nothing
  )
  update webhook_deliveries d set
      attempts = d.attempts + case when due.attempt_begun_at is null then 0 else 1 end,
      response_code = case when due.attempt_begun_at is null then d.response_code end,
      refusal = case when due.attempt_begun_at is null then d.refusal else cut_words end,
      response_start = case when due.attempt_begun_at is null then d.response_start end,
      attempt_begun_at = statement_timestamp()
    from due where d.id = due.id
    returning d.id, d.subscription_id, d.attempts + 1, d.attempt_begun_at, d.retries_left,
      due.address, due.secret, due.older_secret, d.is_test, delivery_body(d.id, d.body, d.body_id);
end $$;
