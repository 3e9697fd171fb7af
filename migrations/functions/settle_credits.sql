-- Ends a hold. `charge`: captures the credits and adds them to the charges of this day and month: of the key, and of the account for its
-- month. Otherwise releases them. A charge counts on the day and in the month of the capture, whenever its hold began. A capture that began
-- before midnight and runs after one of the new day does not change the charges of the new day; the same holds for the new month.
-- Locks: account, then key.
create or replace function settle_credits(account text, spending_key text, generation text, credits bigint, charge boolean) returns void language plpgsql as $$
declare
  today date := utc_day(present());
  this_month date := utc_month(present());
  -- The month of a capture a moment later.
  next_month date := utc_month(present() + interval '1 day');
begin
  if charge then
    update credit_accounts set held = held - credits, balance = balance - credits,
        charged_in_month = case charged_month when this_month then charged_in_month + credits when next_month then charged_in_month else credits end,
        charged_month = case charged_month when next_month then next_month else this_month end
      where id = account;
    update api_keys set
        held_open = held_open - credits,
        charged_on_day = case when charged_day = today + 1 then charged_on_day when charged_day = today then charged_on_day + credits else credits end,
        charged_day = case when charged_day = today + 1 then charged_day else today end,
        charged_in_month = case charged_month when this_month then charged_in_month + credits when next_month then charged_in_month else credits end,
        charged_month = case charged_month when next_month then next_month else this_month end
      where id = spending_key;
    perform post_to_ledger(account, generation, 'capture', 'held', 'spent', credits);
  else
    update credit_accounts set held = held - credits where id = account;
    update api_keys set held_open = held_open - credits where id = spending_key;
    perform post_to_ledger(account, generation, 'release', 'held', 'available', credits);
  end if;
end $$;
