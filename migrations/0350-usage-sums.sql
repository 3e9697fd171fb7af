-- Sums of usage_days over days that are over. Filled by the routine sumUpUsage, also for the days before this migration.
create table usage_sums (
  account_id text not null references credit_accounts,
  owner_id text not null,
  day date not null,
  family_id text not null,
  ready bigint not null,
  failed bigint not null,
  cancelled bigint not null,
  charged bigint not null,
  primary key (account_id, owner_id, day, family_id)
);
comment on table usage_sums is 'The usage of each day that is over, summed up over all keys.';
create table usage_weeks_of_keys (
  account_id text not null references credit_accounts,
  owner_id text not null,
  week date not null,
  key_id text references api_keys,
  ready bigint not null,
  failed bigint not null,
  cancelled bigint not null,
  charged bigint not null,
  constraint usage_weeks_of_keys_once unique nulls not distinct (account_id, owner_id, week, key_id)
);
comment on table usage_weeks_of_keys is 'The usage of each key in each week that is over, summed up over all families.';
comment on column usage_weeks_of_keys.week is 'its Monday';
create table usage_summed (
  account_id text primary key references credit_accounts,
  until date not null
);
comment on table usage_summed is 'How far the usage of an account is summed up.';
comment on column usage_summed.until is 'the first day that is not in usage_sums, and in whose week usage_weeks_of_keys ends';
-- So that the age of the routine counts from here.
insert into routines (name, added_at) values ('sumUpUsage', now()) on conflict (name) do nothing;
