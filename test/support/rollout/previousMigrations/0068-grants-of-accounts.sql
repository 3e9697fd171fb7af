-- What was added to an account, read apart from the many moves of its generations; starts and endings do not touch it.
create index ledger_grants_of_owner on ledger_transactions (account_id, id) where kind = 'grant';
