-- Ends a hold of a person who started a generation. `charge`: adds it to the charges of this day; a capture that began before midnight and
-- runs after one of the new day does not change those. The caller holds the lock of the account.
create or replace function settle_person(account text, person text, credits bigint, charge boolean) returns void language sql as $$
  update person_spending set
      held_open = held_open - credits,
      charged_on_day = case
        when not charge or charged_day > utc_day(present()) then charged_on_day
        when charged_day = utc_day(present()) then charged_on_day + credits
        else credits end,
      charged_day = case when charge then greatest(charged_day, utc_day(present())) else charged_day end
    where account_id = account and user_id = person
$$;
