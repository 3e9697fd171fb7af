create table usage_label_names (
  account_id text not null references credit_accounts,
  owner_id text not null,
  day date not null,
  names integer not null,
  constraint usage_label_names_once primary key (owner_id, account_id)
) with (fillfactor = 50);
comment on table usage_label_names is
  'How many names of metadata usage_labels has begun to count on the last day that had a new one: bounds the rows that callers can create.';
