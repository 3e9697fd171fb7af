-- Captures credits that are held, and adds them to the charges of this day and month: of the key, and of the account for its month. A charge
-- counts on the day and in the month of the capture, whenever its hold began. A capture that began before midnight and runs after one of
-- the new day does not change the charges of the new day; the same holds for the new month. The caller posts it to the ledger.
-- Locks: account, then key.
create or replace function count_charge(account text, spending_key text, credits bigint) returns void language plpgsql as $$
declare
  today date := utc_day(present());
  this_month date := utc_month(present());
  -- The month of a capture a moment later.
  next_month date := utc_month(present() + interval '1 day');
begin
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
end $$;
