-- How far the ledger of each account was recounted, and what its entries came to until there: a recount reads on from it, so that its
-- cost is that of what is new. `drift` is by how much the account differed when it was last recounted to its end, at `recounted_at`.
create table ledger_recounts (
  account_id text primary key,
  through_id bigint not null,
  available bigint not null,
  held bigint not null,
  drift bigint not null default 0,
  recounted_at timestamptz not null
);
create index ledger_recounts_age on ledger_recounts (recounted_at);
create index ledger_recounts_drifting on ledger_recounts (account_id) where drift <> 0;
