-- Rows of a start are checked by start_generations, which holds their account and key, or come out of one statement: looking each up
-- seven times over cost a sixth of a start. What must not happen is that what they refer to goes: nothing of ours deletes it, and
-- a trigger refuses it to others. `doctor` finds rows whose account, key, user, generation or transaction is missing.
alter table generations drop constraint generations_account_id_fkey, drop constraint generations_user_id_fkey,
  drop constraint generations_key_id_fkey;
alter table ledger_transactions drop constraint ledger_transactions_account_id_fkey, drop constraint ledger_transactions_generation_id_fkey;
alter table ledger_entries drop constraint ledger_entries_transaction_id_fkey;

create function refuse_deletion() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never deleted: books and history refer to them', tg_table_name using errcode = 'ATL02';
end $$;
create trigger never_deleted before delete or truncate on credit_accounts for each statement execute function refuse_deletion();
create trigger never_deleted before delete or truncate on api_keys for each statement execute function refuse_deletion();
create trigger never_deleted before delete or truncate on users for each statement execute function refuse_deletion();
create trigger never_deleted before delete or truncate on generations for each statement execute function refuse_deletion();
