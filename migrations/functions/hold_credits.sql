-- Holds `credits` on the account and, where a key spends, under its ceilings. Locks: account, then key.
-- Refuses with spend_limit_exceeded or insufficient_credits; the caller finds the numbers, in the order of the contract.
create or replace function hold_credits(account text, spending_key text, generation text, credits bigint) returns void language plpgsql as $$
begin
  update credit_accounts set held = held + credits where id = account and balance - held >= credits;
  if not found then
    perform refuse('insufficient_credits');
  end if;
  if spending_key is not null then
    update api_keys set held_open = held_open + credits
      where id = spending_key and revoked_at is null
        and (single_limit is null or credits <= single_limit)
        and (daily_limit is null or held_open + spent_today(charged_day, charged_on_day) + credits <= daily_limit);
    if not found then
      perform refuse(case when (select revoked_at is not null from api_keys where id = spending_key) then 'invalid_token' else 'spend_limit_exceeded' end);
    end if;
  end if;
  perform post_to_ledger(account, generation, 'hold', 'available', 'held', credits);
end $$;
