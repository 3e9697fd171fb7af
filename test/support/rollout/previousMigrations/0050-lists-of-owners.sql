-- Lists are ranges of an index, whoever else has how much: read backwards, from a place in the owner's part of it.
create index generations_of_owner on generations (owner_id, id);
create index generations_of_owner_by_state on generations (owner_id, state, id);
create index ledger_of_owner on ledger_transactions (account_id, id);
drop index generations_history;
drop index generations_history_by_state;
drop index ledger_of_account;

-- For what looks after old work that has not ended.
create index generations_open_by_age on generations (created_at) where finished_at is null;

-- What ended on each day of the database, in UTC, added up when it ends.
create table usage_days (
  account_id text not null references credit_accounts,
  owner_id text not null,
  day date not null,
  key_id text references api_keys,
  family_id text not null,
  ready bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  charged bigint not null default 0,
  constraint usage_days_once unique nulls not distinct (account_id, owner_id, day, key_id, family_id)
) with (fillfactor = 50);
comment on column usage_days.charged is 'hundredths of a credit';

insert into usage_days (account_id, owner_id, day, key_id, family_id, ready, failed, cancelled, charged)
  select account_id, owner_id, (finished_at at time zone 'UTC')::date, key_id, family_id, count(*) filter (where state = 'ready'),
      count(*) filter (where state = 'failed'), count(*) filter (where state = 'cancelled'), sum(credits_charged)
    from generations where finished_at is not null and account_id is not null group by 1, 2, 3, 4, 5;

-- Its text is in functions/.
create function count_usage() returns trigger language plpgsql as 'begin return null; end';
create trigger count_usage after update of finished_at on generations for each row
  when (old.finished_at is null and new.finished_at is not null and new.account_id is not null) execute function count_usage();
