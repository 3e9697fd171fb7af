-- Sums up the usage of some accounts, each to the day before yesterday: the transactions that ended generations on that day are over.
-- Only one caller runs at a time. Returns the number of accounts; fewer than `accounts_max` when all are summed up.
-- Locks: the rows that it inserts.
create or replace function sum_up_usage(accounts_max integer) returns integer language plpgsql as $$
declare
  account record;
  target constant date := utc_day(present()) - 1;
  summed integer := 0;
begin
  for account in
    select a.id, coalesce(s.until, '-infinity') as since from credit_accounts a left join usage_summed s on s.account_id = a.id
      where s.until is null or s.until < target limit accounts_max
  loop
    insert into usage_sums (account_id, owner_id, day, family_id, ready, failed, cancelled, charged)
      select account_id, owner_id, day, family_id, sum(ready), sum(failed), sum(cancelled), sum(charged)
        from usage_days where account_id = account.id and day >= account.since and day < target group by 1, 2, 3, 4;
    insert into usage_weeks_of_keys (account_id, owner_id, week, key_id, ready, failed, cancelled, charged)
      select account_id, owner_id, date_trunc('week', day::timestamp)::date, key_id, sum(ready), sum(failed), sum(cancelled), sum(charged)
        from usage_days
        where account_id = account.id and day >= date_trunc('week', account.since::timestamp) and day < date_trunc('week', target::timestamp)
        group by 1, 2, 3, 4;
    insert into usage_summed (account_id, until) values (account.id, target)
      on conflict (account_id) do update set until = excluded.until;
    summed := summed + 1;
  end loop;
  return summed;
end $$;
