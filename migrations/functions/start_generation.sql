-- Starts a generation: idempotency, hold, row, job. Returns the stored response when it is a replay, else null.
-- Refuses with idempotency_in_progress, idempotency_conflict, and what hold_credits refuses with.
create or replace function start_generation(new_row jsonb, idempotency jsonb) returns jsonb language plpgsql as $$
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
    if found and earlier.created_at > present() - (idempotency->>'keptHours')::integer * interval '1 hour' then
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
  perform hold_credits(new_row->>'account_id', new_row->>'key_id', new_row->>'id', (new_row->>'price')::bigint);
  if idempotency is not null then
    insert into idempotency_records (scope, key, fingerprint, generation_id, response, created_at)
      values (idempotency->>'scope', idempotency->>'key', decode(idempotency->>'fingerprint', 'hex'), new_row->>'id',
        idempotency->'response', present())
      on conflict (scope, key) do update set fingerprint = excluded.fingerprint, generation_id = excluded.generation_id,
        response = excluded.response, created_at = excluded.created_at;
  end if;
  perform graphile_worker.add_job('submitGeneration', json_build_object('generationId', new_row->>'id'),
    job_key => 'generation:' || (new_row->>'id'), max_attempts => 30000, flags => array['family:' || (new_row->>'family_id')]);
  return null;
end $$;
