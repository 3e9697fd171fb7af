-- Adds credits to an account, once per idempotency key. Returns false for a repeat, and refuses a repeat with another amount. Locks: the
-- account.
create or replace function grant_credits(account text, credits bigint, grant_note text, grant_idempotency_key text) returns boolean language plpgsql as $$
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
