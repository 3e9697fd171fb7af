-- Ends a hold. `charge`: captures the credits, see count_charge. Otherwise releases them. Locks: account, then key.
create or replace function settle_credits(account text, spending_key text, generation text, credits bigint, charge boolean) returns void language plpgsql as $$
begin
  if charge then
    perform count_charge(account, spending_key, credits);
    perform post_to_ledger(account, generation, 'capture', 'held', 'spent', credits);
  else
    update credit_accounts set held = held - credits where id = account;
    update api_keys set held_open = held_open - credits where id = spending_key;
    perform post_to_ledger(account, generation, 'release', 'held', 'available', credits);
  end if;
end $$;
