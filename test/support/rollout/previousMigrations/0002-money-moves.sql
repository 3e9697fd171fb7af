-- The guarded moves of money and state. Each runs inside the caller's transaction and is one round trip.
-- An expected no is raised with SQLSTATE ATL01: message = refusal code, detail = its details as JSON.

create function refuse(code text, details jsonb default '{}') returns void language plpgsql as $$
begin
  raise exception '%', code using errcode = 'ATL01', detail = details::text;
end $$;

-- Writes one ledger transaction that moves `credits` from one bucket to another. Zero moves nothing but is recorded.
create function post_to_ledger(
  account text, generation text, move_kind text, source text, destination text, credits bigint,
  move_note text default null, move_idempotency_key text default null
) returns void language plpgsql as $$
declare
  new_id bigint;
begin
  insert into ledger_transactions (account_id, generation_id, kind, note, idempotency_key)
    values (account, generation, move_kind, move_note, move_idempotency_key)
    returning id into new_id;
  if credits > 0 then
    insert into ledger_entries (transaction_id, bucket, credits) values (new_id, source, -credits), (new_id, destination, credits);
  end if;
end $$;

-- Holds `credits` on the account and, where a key spends, under its ceilings. Locks: account, then key.
-- Refuses with spend_limit_exceeded or insufficient_credits; the caller finds the numbers, in the order of the contract.
create function hold_credits(account text, spending_key text, generation text, credits bigint, today date) returns void language plpgsql as $$
begin
  update credit_accounts set held = held + credits where id = account and balance - held >= credits;
  if not found then
    perform refuse('insufficient_credits');
  end if;
  if spending_key is not null then
    update api_keys set held_open = held_open + credits
      where id = spending_key and revoked_at is null
        and (single_limit is null or credits <= single_limit)
        and (daily_limit is null or held_open + case when charged_day = today then charged_on_day else 0 end + credits <= daily_limit);
    if not found then
      perform refuse(case when (select revoked_at is not null from api_keys where id = spending_key) then 'invalid_token' else 'spend_limit_exceeded' end);
    end if;
  end if;
  perform post_to_ledger(account, generation, 'hold', 'available', 'held', credits);
end $$;

-- Ends a hold: a capture spends it and books it into the key's day, a release gives it back. Locks: account, then key.
-- A capture from a clock that is still in the day before books into that day, of which nobody asks any more.
create function settle_credits(account text, spending_key text, generation text, credits bigint, charge boolean, today date) returns void language plpgsql as $$
begin
  if charge then
    update credit_accounts set held = held - credits, balance = balance - credits where id = account;
    update api_keys set
        held_open = held_open - credits,
        charged_on_day = case when today < charged_day then charged_on_day when today = charged_day then charged_on_day + credits else credits end,
        charged_day = greatest(charged_day, today)
      where id = spending_key;
    perform post_to_ledger(account, generation, 'capture', 'held', 'spent', credits);
  else
    update credit_accounts set held = held - credits where id = account;
    update api_keys set held_open = held_open - credits where id = spending_key;
    perform post_to_ledger(account, generation, 'release', 'held', 'available', credits);
  end if;
end $$;

-- Starts a generation: idempotency, hold, row, job. Returns the stored response when it is a replay, else null.
-- Refuses with idempotency_in_progress, idempotency_conflict, and what hold_credits refuses with.
create function start_generation(new_row jsonb, idempotency jsonb, today date) returns jsonb language plpgsql as $$
declare
  earlier idempotency_records;
  lock_name text;
begin
  if idempotency is not null then
    lock_name := (idempotency->>'scope') || '|' || (idempotency->>'key');
    if not pg_try_advisory_xact_lock(hashtextextended(lock_name, 0)) then
      perform refuse('idempotency_in_progress', '{"retryAfterSeconds": 1}');
    end if;
    select * into earlier from idempotency_records where scope = idempotency->>'scope' and key = idempotency->>'key';
    if found and earlier.created_at > (idempotency->>'keptSince')::timestamptz then
      if earlier.fingerprint <> decode(idempotency->>'fingerprint', 'hex') then
        perform refuse('idempotency_conflict', jsonb_build_object('idempotencyKey', idempotency->>'key'));
      end if;
      return earlier.response;
    end if;
  end if;

  insert into generations (id, owner_id, account_id, user_id, key_id, source, state, family_id, model_id, task, output_type,
      axes, prompt, parameters, inputs, price, created_at, deadline_at)
    select id, owner_id, account_id, user_id, key_id, source, 'queued', family_id, model_id, task, output_type,
        axes, prompt, parameters, inputs, price, created_at, deadline_at
      from jsonb_populate_record(null::generations, new_row);
  perform hold_credits(new_row->>'account_id', new_row->>'key_id', new_row->>'id', (new_row->>'price')::bigint, today);
  if idempotency is not null then
    insert into idempotency_records (scope, key, fingerprint, generation_id, response, created_at)
      values (idempotency->>'scope', idempotency->>'key', decode(idempotency->>'fingerprint', 'hex'), new_row->>'id',
        idempotency->'response', (idempotency->>'now')::timestamptz)
      on conflict (scope, key) do update set fingerprint = excluded.fingerprint, generation_id = excluded.generation_id,
        response = excluded.response, created_at = excluded.created_at;
  end if;
  perform graphile_worker.add_job('submitGeneration', json_build_object('generationId', new_row->>'id'),
    job_key => 'generation:' || (new_row->>'id'), max_attempts => 30000);
  return null;
end $$;

-- Ends a generation by compare-and-set and settles its hold. Returns the row as it now stands, or null when another move won.
-- `expected_fence` null: whoever runs it (a cancel, the reconciler). `charge`: capture the price instead of releasing it.
create function end_generation(
  generation text, from_states text[], to_state text, expected_fence integer, charge boolean,
  new_result jsonb, new_failure jsonb, ended_at timestamptz, today date
) returns setof generations language plpgsql as $$
declare
  ended generations;
begin
  update generations set state = to_state, finished_at = ended_at, result = new_result, failure = new_failure,
      credits_charged = case when charge then price else 0 end
    where id = generation and state = any(from_states) and (expected_fence is null or fence = expected_fence)
    returning * into ended;
  if not found then
    return;
  end if;
  if ended.account_id is not null then
    perform settle_credits(ended.account_id, ended.key_id, ended.id, ended.price, charge, today);
  end if;
  perform pg_notify('generation', ended.id);
  return next ended;
end $$;

-- Grants credits once per idempotency key. Returns false for a repeat; refuses a repeat with another amount.
create function grant_credits(account text, credits bigint, grant_note text, grant_idempotency_key text) returns boolean language plpgsql as $$
declare
  granted bigint;
begin
  update credit_accounts set balance = balance + credits where id = account;
  begin
    perform post_to_ledger(account, null, 'grant', 'granted', 'available', credits, grant_note, grant_idempotency_key);
  exception when unique_violation then
    update credit_accounts set balance = balance - credits where id = account;
    select e.credits into granted from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.bucket = 'available'
      where t.account_id = account and t.kind = 'grant' and t.idempotency_key = grant_idempotency_key;
    if granted <> credits then
      perform refuse('idempotency_conflict', jsonb_build_object('idempotencyKey', grant_idempotency_key));
    end if;
    return false;
  end;
  return true;
end $$;
