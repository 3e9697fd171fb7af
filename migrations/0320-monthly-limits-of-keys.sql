-- Monthly ceilings of keys. The charges of the current month are counted once here; settle_credits() counts them from now on.
-- The checks are on columns that older processes do not write.
-- narrows api_keys: satisfied since 0.2.0
alter table api_keys
  add column monthly_limit bigint constraint api_keys_monthly_limit_check check (monthly_limit >= 0),
  add column charged_month date not null default '-infinity',
  add column charged_in_month bigint not null default 0 constraint api_keys_charged_in_month_check check (charged_in_month >= 0);
comment on column api_keys.monthly_limit is 'hundredths of a credit for each calendar month in UTC; null for no limit';
comment on column api_keys.charged_month is 'the first day of the month in UTC to which charged_in_month belongs';
comment on column api_keys.charged_in_month is 'hundredths of a credit charged in charged_month';
update api_keys k set charged_month = this_month.first_day, charged_in_month = used.charged
  from (select date_trunc('month', now() at time zone 'UTC')::date as first_day) this_month
    cross join lateral (
      select key_id, sum(charged)::bigint as charged from usage_days where day >= this_month.first_day and key_id is not null group by key_id
    ) used
  where k.id = used.key_id and used.charged > 0;
