-- Starts generations that arrived together: idempotency, holds, rows, inputs, jobs. Returns a verdict for each, in their order:
--   started                  its credits are held and its job is queued
--   idempotency_in_progress  another transaction starts a generation under its idempotency key
--   known                    a generation was started under its idempotency key before
--   invalid_token            its key is revoked or expired, or the key or the account does not exist
--   input_gone               a file or result among its inputs was deleted after it was looked up
--   spend_limit_exceeded     by the single, the daily or the monthly ceiling of its key, the monthly budget of the account, or the daily
--                            ceiling of the person who starts it in the admin UI
--   insufficient_credits
--   too_many_open            its owner has `open_max` open generations in its family
--   crowded                  it could start alone, but not together with the others of this call that spend from the same limits
-- A generation that is not started changes nothing. No idempotency key may appear twice in a call.
-- `new_rows`: columns of generations, `open_max`, and `callback`: {subscriptionId, url, events}; `reference`, `metadata`, `trace_parent`,
-- `open_max` and `callback` may be missing.
-- `file_ids`: the inputs, which are files, or generations whose result is the input. `file_places`: for each input, the place of its
-- generation in this call.
-- Locks: idempotency keys, accounts, counts of open work, keys, files, generations that are inputs, each in order. A `patient` call waits
-- two seconds for a lock, so that its caller is answered within five. Others fail after half a second, because starts of other accounts
-- wait behind them.
-- The rows have no foreign keys: this function reads account and key, and rows that they refer to cannot be deleted.
create or replace function start_generations(
  ids text[], account_ids text[], key_ids text[], prices bigint[], new_rows jsonb,
  scopes text[], idempotency_keys text[], fingerprints bytea[], responses text[], kept_hours integer,
  file_places integer[], file_ids text[], file_days integer, patient boolean
) returns text[] language plpgsql as $$
declare
  free boolean[];
  known boolean[];
  missing_input integer[];
  verdicts text[];
  accounts_updated integer;
  owners text[];
  families text[];
  open_maxes integer[];
  -- Who spends by themselves: of generations with the source `editor`.
  people text[];
begin
  perform set_config('lock_timeout', case when patient then '2s' else '500ms' end, true);
  if array_remove(idempotency_keys, null) <> '{}' then
    free := array(
      select key is null or pg_try_advisory_xact_lock(hashtextextended(scope || '|' || key, 0))
        from unnest(scopes, idempotency_keys) as asked (scope, key)
    );
    known := array(
      select r.key is not null from unnest(scopes, idempotency_keys) with ordinality as asked (scope, key, place)
        left join idempotency_records r
          on r.scope = asked.scope and r.key = asked.key and r.created_at > present() - kept_hours * interval '1 hour'
        order by place
    );
  end if;
  select array_agg(owner_id order by place), array_agg(family_id order by place), array_agg(open_max order by place),
      array_agg(case source when 'editor' then user_id end order by place) into owners, families, open_maxes, people
    from rows from (jsonb_to_recordset(new_rows) as (owner_id text, family_id text, open_max integer, source text, user_id text)) with ordinality
      as asked (owner_id, family_id, open_max, source, user_id, place);
  perform from credit_accounts where id = any (account_ids) order by id for no key update;
  -- The end of a generation locks in the same order: account, count, key.
  insert into open_work (owner_id, family_id, open)
    select distinct owner_id, family_id, 0 from unnest(owners, families) as asked (owner_id, family_id)
      where not exists (select from open_work w where w.owner_id = asked.owner_id and w.family_id = asked.family_id)
      order by owner_id, family_id on conflict do nothing;
  perform from open_work where (owner_id, family_id) in (select * from unnest(owners, families)) order by owner_id, family_id for no key update;
  perform from api_keys where id = any (key_ids) order by id for no key update;
  -- Locked inputs cannot be deleted before this transaction commits and lists them as inputs in use.
  if file_ids <> '{}' then
    perform from files where id = any (file_ids) order by id for no key update;
    -- One lookup for each, so that PostgreSQL reads one partition for it.
    perform from (select distinct input from unnest(file_ids) as input order by input) as named
      cross join lateral (select from generations where id = named.input for key share) as held;
    missing_input := array(
      select place from unnest(file_places, file_ids) as used (place, input)
        where not exists (select from files where id = input)
          and not exists (select from generations where id = input and result ? 'storageKey')
    );
  end if;

  verdicts := array(
    select case
        when not free[place] then 'idempotency_in_progress'
        when known[place] then 'known'
        when a.id is null or (asked.key_id is not null and k.id is null) or not k.lives then 'invalid_token'
        when place = any (missing_input) then 'input_gone'
        when price > k.single_limit or price > k."left" or price > a.monthly_left then 'spend_limit_exceeded'
        when price > a.available then 'insufficient_credits'
        when w.open >= open_max then 'too_many_open'
        when sum(price) over (partition by asked.key_id) > k."left"
          or sum(price) over (partition by asked.account_id) > least(a.available, a.monthly_left)
          or w.open + count(*) over (partition by asked.owner_id, asked.family_id) > open_max then 'crowded'
        else 'started'
      end
      from unnest(account_ids, key_ids, prices, owners, families, open_maxes) with ordinality
        as asked (account_id, key_id, price, owner_id, family_id, open_max, place)
      left join open_work w on w.owner_id = asked.owner_id and w.family_id = asked.family_id
      left join (
        select id, balance - held as available, monthly_left(monthly_limit, held, charged_month, charged_in_month) as monthly_left
          from credit_accounts where id = any (account_ids)
      ) a on a.id = asked.account_id
      left join (
        select id, key_is_live(revoked_at, expires_at) as lives, single_limit,
            least(daily_left(stored), monthly_left(monthly_limit, held_open, charged_month, charged_in_month)) as "left"
          from api_keys stored where id = any (key_ids)
      ) k on k.id = asked.key_id
      order by place
  );
  if array_remove(people, null) <> '{}' then
    verdicts := array(
      select case
          when verdict <> 'started' or person is null then verdict
          when price > "left" then 'spend_limit_exceeded'
          when sum(price) over (partition by account_id, person) > "left" then 'crowded'
          else verdict
        end
        from unnest(account_ids, people, prices, verdicts) with ordinality as asked (account_id, person, price, verdict, place)
        cross join lateral (select person_daily_left(account_id, person) as "left") of_person
        order by place
    );
  end if;
  if not 'started' = any (verdicts) then
    return verdicts;
  end if;

  update credit_accounts a set held = a.held + holds.credits
    from (
      select account_id, sum(price)::bigint as credits from unnest(account_ids, prices, verdicts) as asked (account_id, price, verdict)
        where verdict = 'started' group by account_id
    ) holds where a.id = holds.account_id;
  get diagnostics accounts_updated = row_count;
  if accounts_updated <> (select count(distinct account_id) from unnest(account_ids, verdicts) as asked (account_id, verdict) where verdict = 'started') then
    perform refuse('credit_reservation_failed');
  end if;
  update api_keys k set held_open = k.held_open + holds.credits
    from (
      select key_id, sum(price)::bigint as credits from unnest(key_ids, prices, verdicts) as asked (key_id, price, verdict)
        where verdict = 'started' group by key_id
    ) holds where k.id = holds.key_id;
  insert into person_spending as p (account_id, user_id, held_open)
    select account_id, person, sum(price)::bigint from unnest(account_ids, people, prices, verdicts) as asked (account_id, person, price, verdict)
      where verdict = 'started' and person is not null group by account_id, person order by account_id, person
    on conflict (account_id, user_id) do update set held_open = p.held_open + excluded.held_open;
  if file_ids <> '{}' then
    update files set used = true, expires_at = greatest(expires_at, present() + file_days * interval '1 day')
      where id in (select file from unnest(file_places, file_ids) as used (place, file) where verdicts[place] = 'started');
  end if;
  if known is not null then
    insert into idempotency_records (scope, key, fingerprint, generation_id, response, created_at)
      select scope, key, fingerprint, id, response::jsonb, present()
        from unnest(scopes, idempotency_keys, fingerprints, ids, responses, verdicts) as asked (scope, key, fingerprint, id, response, verdict)
        where verdict = 'started' and key is not null
      on conflict (scope, key) do update set fingerprint = excluded.fingerprint, generation_id = excluded.generation_id,
        response = excluded.response, created_at = excluded.created_at;
  end if;
  with started as (
    insert into generations (id, owner_id, account_id, user_id, key_id, source, state, family_id, model_id, task, output_type,
        axes, prompt, parameters, inputs, reference, metadata, price, created_at, trace_parent)
      select id, owner_id, account_id, user_id, key_id, source, 'queued', family_id, model_id, task, output_type,
          axes, prompt, parameters, inputs, reference, coalesce(metadata, '{}'), price, created_at, trace_parent
        from rows from (jsonb_to_recordset(new_rows) as (id text, owner_id text, account_id text, user_id text, key_id text, source text,
          family_id text, model_id text, task text, output_type text, axes jsonb, prompt text, parameters jsonb, inputs jsonb,
          reference text, metadata jsonb, price bigint, created_at timestamptz, trace_parent text)) with ordinality as asked
        where verdicts[ordinality] = 'started'
      returning id, account_id, price
  ), moved as (
    insert into ledger_transactions (account_id, generation_id, kind, created_at)
      select account_id, id, 'hold', present() from started
      returning id, generation_id
  )
  insert into ledger_entries (transaction_id, bucket, credits)
    select moved.id, bucket, sign * price from moved join started on started.id = moved.generation_id
      cross join (values ('available', -1), ('held', 1)) as sides (bucket, sign)
      where price > 0;
  if jsonb_path_exists(new_rows, '$[*].callback') then
    insert into callbacks (generation_id, team_id, subscription_id, url, events, created_at)
      select id, owner_id, callback->>'subscriptionId', callback->>'url', array(select jsonb_array_elements_text(callback->'events')), present()
        from rows from (jsonb_to_recordset(new_rows) as (id text, owner_id text, callback jsonb)) with ordinality as asked
        where verdicts[ordinality] = 'started' and callback is not null;
  end if;
  perform queue_starts(ids, verdicts, new_rows);
  return verdicts;
end $$;
