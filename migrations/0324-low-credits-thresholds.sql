-- The check is on a column that older processes do not write.
-- narrows credit_accounts: satisfied since 0.2.0
alter table credit_accounts
  add column low_credits_threshold bigint constraint credit_accounts_low_credits_threshold_check check (low_credits_threshold >= 0);
comment on column credit_accounts.low_credits_threshold is 'hundredths of a credit below which the alert credits.low is sent; null for none';
