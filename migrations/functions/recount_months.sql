-- Sets the charges of this month of accounts and keys to those of usage_days where they differ, and returns each with the change in
-- hundredths. Usage and charges change in one transaction, in the order account, usage, key: under the lock of an account its committed
-- usage is all of it, and under the lock of a key what is not committed has not been added to the key yet.
-- Locks: the accounts that differ, then the keys that differ.
create or replace function recount_months() returns table (account text, spending_key text, change bigint) language plpgsql as $$
#variable_conflict use_column
declare
  one record;
  this_month constant date := utc_month(present());
  used bigint;
begin
  for one in
    select a.id from credit_accounts a
        left join (select account_id, sum(charged)::bigint as charged from usage_days where day >= this_month group by account_id) u on u.account_id = a.id
      where a.charged_month <= this_month
        and coalesce(u.charged, 0) <> case a.charged_month when this_month then a.charged_in_month else 0 end
      order by a.id
  loop
    perform from credit_accounts where id = one.id for no key update;
    used := (select coalesce(sum(charged), 0) from usage_days where account_id = one.id and day >= this_month);
    update credit_accounts a set charged_month = this_month, charged_in_month = used
      from credit_accounts old where a.id = one.id and old.id = a.id and a.charged_month <= this_month
      returning a.id, null, used - case old.charged_month when this_month then old.charged_in_month else 0 end into account, spending_key, change;
    if change <> 0 then
      return next;
    end if;
  end loop;
  for one in
    select k.id from api_keys k
        left join (select key_id, sum(charged)::bigint as charged from usage_days where day >= this_month and key_id is not null group by key_id) u
          on u.key_id = k.id
      where k.charged_month <= this_month
        and coalesce(u.charged, 0) <> case k.charged_month when this_month then k.charged_in_month else 0 end
      order by k.id
  loop
    perform from api_keys where id = one.id for no key update;
    used := (select coalesce(sum(charged), 0) from usage_days where key_id = one.id and day >= this_month);
    update api_keys k set charged_month = this_month, charged_in_month = used
      from api_keys old where k.id = one.id and old.id = k.id and k.charged_month <= this_month
      returning null, k.id, used - case old.charged_month when this_month then old.charged_in_month else 0 end into account, spending_key, change;
    if change <> 0 then
      return next;
    end if;
  end loop;
end $$;
