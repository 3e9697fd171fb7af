create table usage_labels (
  account_id text not null references credit_accounts,
  owner_id text not null,
  name text not null,
  day date not null,
  value text not null,
  ready bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  charged bigint not null default 0,
  constraint usage_labels_once primary key (owner_id, account_id, name, day, value)
) with (fillfactor = 50);
comment on table usage_labels is
  'Ended generations of each day in UTC, summed up by reference and by each entry of metadata when they end; a bounded number of values.';
comment on column usage_labels.name is 'the name of the entry of metadata; empty for the reference';
comment on column usage_labels.charged is 'hundredths of a credit';
-- Rows are inserted in the order of days, and pruned in it.
create index usage_labels_by_day on usage_labels using brin (day) with (pages_per_range = 16);
