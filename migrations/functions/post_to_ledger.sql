-- Inserts one ledger transaction that moves `credits` from one bucket to another. With zero credits it has no entries.
create or replace function post_to_ledger(
  account text, generation text, move_kind text, source text, destination text, credits bigint,
  move_note text default null, move_idempotency_key text default null
) returns void language plpgsql as $$
declare
  new_id bigint;
begin
  insert into ledger_transactions (account_id, generation_id, kind, note, idempotency_key, created_at)
    values (account, generation, move_kind, move_note, move_idempotency_key, present())
    returning id into new_id;
  if credits > 0 then
    insert into ledger_entries (transaction_id, bucket, credits) values (new_id, source, -credits), (new_id, destination, credits);
  end if;
end $$;
