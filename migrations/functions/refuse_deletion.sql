-- Trigger: keeps rows that the ledger and the history refer to.
create or replace function refuse_deletion() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never deleted: books and history refer to them', tg_table_name using errcode = 'ATL02';
end $$;
