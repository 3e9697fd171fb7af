-- Trigger: rows of the ledger do not change.
create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'ATL02';
end $$;
