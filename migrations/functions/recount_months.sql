-- Sets the charges of this month of an account and the keys of its owner to those of usage_days where they differ, and returns each with
-- the change in hundredths; the account without a key. Usage and charges change in one transaction, in the order account, usage, key: under
-- the lock of an account its committed usage is all of it, and under the lock of a key what is not committed has not been added to the key yet.
-- Locks: the account, then its keys.
create or replace function recount_months(account text) returns table (spending_key text, change bigint) language plpgsql as $$
#variable_conflict use_column
declare
  locked text[];
  this_month constant date := utc_month(present());
begin
  perform from credit_accounts where id = account for no key update;
  locked := array(
    select k.id from credit_accounts a join api_keys k on k.team_id = a.team_id or (k.team_id is null and k.user_id = a.user_id)
      where a.id = account order by k.id for no key update of k
  );
  -- A new statement, so that it reads what was committed before the locks.
  return query with differing as materialized (
    select d.* from months_that_differ(account) d where d.spending_key is null or d.spending_key = any (locked)
  ), set_account as (
    update credit_accounts set charged_month = this_month, charged_in_month = d.used
      from differing d where id = account and d.spending_key is null
  ), set_keys as (
    update api_keys k set charged_month = this_month, charged_in_month = d.used from differing d where k.id = d.spending_key
  )
  select d.spending_key, d.change from differing d order by d.spending_key nulls first;
end $$;
