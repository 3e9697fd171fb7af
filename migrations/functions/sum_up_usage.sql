-- Sums up the usage of some accounts, each to the day before yesterday: the transactions that ended generations on that day are over.
-- Sums at most four weeks of an account and begins no account after a second, because a statement has little time and an upgrade leaves
-- years of usage to sum up. Only one caller runs at a time. Returns the number of accounts; 0 when all are summed up.
-- Locks: the rows that it inserts.
create or replace function sum_up_usage(accounts_max integer) returns integer language plpgsql as $$
declare
  account record;
  target constant date := utc_day(present()) - 1;
  next_until date;
  summed integer := 0;
begin
  for account in
    select a.id, coalesce(s.until, '-infinity') as since from credit_accounts a left join usage_summed s on s.account_id = a.id
      where s.until is null or s.until < target limit accounts_max
  loop
    -- Null without usage that is not summed up.
    next_until := (select min(day) + 28 from usage_days where account_id = account.id and day >= account.since);
    next_until := coalesce(least(next_until, target), target);
    insert into usage_sums (account_id, owner_id, day, family_id, ready, failed, cancelled, charged)
      select account_id, owner_id, day, family_id, sum(ready), sum(failed), sum(cancelled), sum(charged)
        from usage_days where account_id = account.id and day >= account.since and day < next_until group by 1, 2, 3, 4;
    insert into usage_weeks_of_keys (account_id, owner_id, week, key_id, ready, failed, cancelled, charged)
      select account_id, owner_id, date_trunc('week', day::timestamp)::date, key_id, sum(ready), sum(failed), sum(cancelled), sum(charged)
        from usage_days
        where account_id = account.id and day >= date_trunc('week', account.since::timestamp) and day < date_trunc('week', next_until::timestamp)
        group by 1, 2, 3, 4;
    insert into usage_summed (account_id, until) values (account.id, next_until)
      on conflict (account_id) do update set until = excluded.until;
    summed := summed + 1;
    exit when clock_timestamp() > statement_timestamp() + interval '1 second';
  end loop;
  return summed;
end $$;
