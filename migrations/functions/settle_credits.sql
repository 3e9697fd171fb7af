-- Ends a hold. `charge`: captures the credits and adds them to the charges of the key on this day. Otherwise releases them. A capture that
-- began before midnight and runs after one of the new day does not change the charges of the new day.
-- Locks: account, then key.
create or replace function settle_credits(account text, spending_key text, generation text, credits bigint, charge boolean) returns void language plpgsql as $$
declare
  today date := utc_day(present());
begin
  if charge then
    update credit_accounts set held = held - credits, balance = balance - credits where id = account;
    update api_keys set
        held_open = held_open - credits,
        charged_on_day = case when charged_day = today + 1 then charged_on_day when charged_day = today then charged_on_day + credits else credits end,
        charged_day = case when charged_day = today + 1 then charged_day else today end
      where id = spending_key;
    perform post_to_ledger(account, generation, 'capture', 'held', 'spent', credits);
  else
    update credit_accounts set held = held - credits where id = account;
    update api_keys set held_open = held_open - credits where id = spending_key;
    perform post_to_ledger(account, generation, 'release', 'held', 'available', credits);
  end if;
end $$;
