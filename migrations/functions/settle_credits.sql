-- Ends a hold: a capture spends it and books it into the key's day, a release gives it back. Locks: account, then key.
-- A capture from a clock that is still in the day before books into that day, of which nobody asks any more.
create or replace function settle_credits(account text, spending_key text, generation text, credits bigint, charge boolean, today date) returns void language plpgsql as $$
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
