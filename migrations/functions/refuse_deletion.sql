-- Trigger: refuses to delete or truncate rows that the ledger and the history reference.
create or replace function refuse_deletion() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % cannot be deleted: the ledger and the history reference them', tg_table_name using errcode = 'ATL02';
end $$;
