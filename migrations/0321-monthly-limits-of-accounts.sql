-- Monthly budgets of teams. They are on the account, because a start and a charge lock its row.
-- The checks are on columns that older processes do not write.
-- narrows credit_accounts: satisfied since 0.2.0
alter table credit_accounts
  add column monthly_limit bigint constraint credit_accounts_monthly_limit_check check (monthly_limit >= 0),
  add column charged_month date not null default '-infinity',
  add column charged_in_month bigint not null default 0 constraint credit_accounts_charged_in_month_check check (charged_in_month >= 0);
comment on column credit_accounts.monthly_limit is 'hundredths of a credit for each calendar month in UTC; null for no limit';
comment on column credit_accounts.charged_month is 'the first day of the month in UTC to which charged_in_month belongs';
comment on column credit_accounts.charged_in_month is 'hundredths of a credit charged in charged_month';
update credit_accounts a set charged_month = this_month.first_day, charged_in_month = used.charged
  from (select date_trunc('month', now() at time zone 'UTC')::date as first_day) this_month
    cross join lateral (
      select account_id, sum(charged)::bigint as charged from usage_days where day >= this_month.first_day group by account_id
    ) used
  where a.id = used.account_id and used.charged > 0;
