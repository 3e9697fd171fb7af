-- What agents were told that a request costs, each good for one start. That it is used once is kept by idempotency_records, under the
-- scope `quote:` and its holder. A row outlives its end by as much as a start is remembered, so that repeats find their way.
create table quotes (
  id text primary key,
  holder_id text not null,
  fingerprint bytea not null,
  price bigint not null check (price >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on column quotes.holder_id is 'the key that asked; for an internal tool whose history it was asked for';
create index quotes_age on quotes (created_at);
