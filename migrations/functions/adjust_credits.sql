-- Changes the credits of an account by `credits`, which may be negative, once per idempotency key; grants and adjustments of an account
-- share their keys. Returns 'adjusted', 'repeated', or 'insufficient' when less than the held credits would stay. Refuses a repeat with
-- another amount. Locks: the account.
create or replace function adjust_credits(account text, credits bigint, adjust_note text, adjust_idempotency_key text) returns text language plpgsql as $$
declare
  available bigint;
  earlier bigint;
begin
  select balance - held into available from credit_accounts where id = account for no key update;
  select e.credits into earlier from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.bucket = 'available'
    where t.account_id = account and t.kind = 'grant' and t.idempotency_key = adjust_idempotency_key;
  if earlier is not null then
    if earlier <> credits then
      perform refuse('idempotency_conflict', jsonb_build_object('idempotencyKey', adjust_idempotency_key));
    end if;
    return 'repeated';
  end if;
  if available + credits < 0 then
    return 'insufficient';
  end if;
  update credit_accounts set balance = balance + credits where id = account;
  if credits > 0 then
    perform post_to_ledger(account, null, 'grant', 'granted', 'available', credits, adjust_note, adjust_idempotency_key);
  else
    perform post_to_ledger(account, null, 'grant', 'available', 'granted', -credits, adjust_note, adjust_idempotency_key);
  end if;
  return 'adjusted';
end $$;
